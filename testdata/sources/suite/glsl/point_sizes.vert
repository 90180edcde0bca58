#version 450
// The size of a point.
layout(location = 0) in vec4 a;
layout(location = 0) out float size;

void main() {
    gl_Position = vec4(a.xy, 0.25, 1.0);
    gl_PointSize = 1.0;
    size = gl_PointSize + a.w;
}
