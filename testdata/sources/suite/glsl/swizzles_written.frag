#version 450
// Assignments to some components, in any order.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 c = vec4(0.25);
    c.zx = a.xy;
    c.w += a.z;
    c.yw = c.wy * 2.0;
    c.xyz *= a.www + 0.5;
    c.xy = c.yx;
    colour = c;
}
