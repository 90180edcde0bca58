#version 450
layout(local_size_x = 8) in;

layout(location = 0) in vec3 direction; //~ SDLSHADERBC has no input with a location in a compute function
layout(location = 0) out vec4 colour; //~ SDLSHADERBC has no output in a compute function
layout(location = 1) out Block {
    vec3 normal; //~ SDLSHADERBC has no output in a compute function
    vec3 weights[2]; //~ SDLSHADERBC has no output in a compute function
} block;

void main() {
    colour = vec4(direction, 1.0);
}
