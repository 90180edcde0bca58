#version 330
// A vertex shader for OpenGL: z lies between -w and w.
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
uniform mat4 transform;
uniform mat3 turn;
out vec3 direction;

void main() {
    direction = turn * normal;
    gl_Position = transform * position;
}
