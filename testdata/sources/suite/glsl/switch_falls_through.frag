#version 450
// Cases that fall through to the next, and two labels of one case.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    vec4 c = a;
    switch (k % 5) {
    case 0:
        c.x += 1.0;
    case 1:
    case 2:
        c.y += 2.0;
    case 3:
        c.z += 4.0;
        break;
    case 4:
        c.w = 0.0;
    }
    colour = c * 0.25;
}
