#version 450
// radians, degrees, sin, cos and tan.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 angle = clamp(a, -1.25, 1.25);
    vec4 turned = radians(degrees(angle) + 15.0);
    colour = sin(turned) + cos(angle.wzyx) * 0.5 + tan(angle) * 0.25;
}
