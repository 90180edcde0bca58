#version 450
// Several blocks in several sets, with and without instance names, and one that is not used.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 1, binding = 3) uniform Late { vec4 late; };
layout(set = 0, binding = 5) uniform Middle { vec4 tint; float gain; } middle;
layout(set = 0, binding = 1) uniform Early { float early; int steps; };
layout(set = 2, binding = 0) uniform Unused { vec4 unused; };

void main() {
    colour = a * late + middle.tint * early + middle.gain * float(steps & 7);
}
