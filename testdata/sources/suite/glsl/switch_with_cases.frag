#version 450
// A switch with a break in each case, and a default.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    vec4 c = a;
    switch (k & 3) {
    case 0: c = c.yzwx; break;
    case 1: c *= 2.0; break;
    case 2: c.xy = c.zw; c.w = 0.5; break;
    default: c = vec4(0.25); break;
    }
    colour = c;
}
