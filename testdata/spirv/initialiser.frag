#version 450
// A global variable whose initial value is not constant, a constant table, and an array that is indexed by computed values.
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 colour;
float twice = v.x * 2.0;
const vec3 table[4] = vec3[](vec3(1.0), vec3(0.5), vec3(0.25, 0.0, 1.0), vec3(0.0));
void main() {
    float kept[3] = float[](twice, v.y, v.z);
    kept[int(v.w) % 3] += 1.0;
    colour = vec4(table[int(twice) & 3], kept[int(v.x) % 3]);
}
