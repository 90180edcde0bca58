#version 450
// The numbers of the vertex and of the instance.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;
const vec2 CORNERS[3] = vec2[](vec2(-1.0, -1.0), vec2(3.0, -1.0), vec2(-1.0, 3.0));

void main() {
    int at = gl_VertexIndex % 3;
    gl_Position = vec4(CORNERS[at], 0.5, 1.0);
    passed = a + vec4(CORNERS[(at + 1) % 3], float(at), float(gl_InstanceIndex & 3));
}
