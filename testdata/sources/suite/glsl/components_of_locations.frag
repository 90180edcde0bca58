#version 450
// Inputs that share locations, each with components of its own, in an array too.
layout(location = 0) in vec2 one;
layout(location = 0, component = 2) in vec2 two;
layout(location = 1) in float three;
layout(location = 1, component = 1) in vec3 four;
layout(location = 2, component = 0) in vec2 list[2];
layout(location = 2, component = 2) in float other[2];
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 rest;

void main() {
    colour = vec4(one, two) + vec4(three, four);
    rest = vec4(list[0] + list[1], other[1], other[0]);
}
