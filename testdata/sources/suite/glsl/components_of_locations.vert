#version 450
// Inputs and outputs that share locations, each with components of its own.
layout(location = 0) in vec2 first;
layout(location = 0, component = 2) in float second;
layout(location = 0, component = 3) in float third;
layout(location = 1, component = 0) in vec3 fourth;
layout(location = 1, component = 3) in float fifth;
layout(location = 0) out vec2 one;
layout(location = 0, component = 2) out vec2 two;
layout(location = 1) out float three;
layout(location = 1, component = 1) out vec3 four;

void main() {
    gl_Position = vec4(fourth, 1.0);
    one = first * second;
    two = first + third;
    three = fifth - second;
    four = fourth * third;
}
