#version 460
// The first vertex, the first instance and the draw's number, which are 0 here.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;

void main() {
    gl_Position = vec4(a.xy, 0.5, 1.0);
    int own = gl_VertexIndex - gl_BaseVertex;
    passed = a + float(own) + float(gl_InstanceIndex - gl_BaseInstance) * 0.25 + float(gl_DrawID);
}
