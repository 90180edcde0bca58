#version 330
// A fragment shader for OpenGL, whose uniforms are outside blocks.
in vec4 a;
out vec4 colour;
uniform vec4 tint;
uniform float list[3];
uniform mat3 turn;
layout(std140) uniform Fog { vec4 fog; float density; };

void main() {
    vec3 v = turn * a.xyz;
    colour = vec4(v, list[0] + list[2]) * tint + fog * density;
}
