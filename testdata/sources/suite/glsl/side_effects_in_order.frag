#version 450
// Increments, assignments as values, and the comma operator.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    int i = 0;
    float list[4] = float[4](0.0, 0.0, 0.0, 0.0);
    list[i++] = a.x;
    list[i++] += a.y;
    float x = (list[i] = a.z, list[++i] = a.w * 2.0);
    float y = x-- * 0.5, z = --x + 3.0;
    float w = i > 2 ? (i -= 2, float(i)) : 0.0;
    colour = vec4(list[0] + list[1], list[2] + y, list[3] + z, w);
}
