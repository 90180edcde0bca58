#version 120
// A vertex shader of GLSL 1.20.
attribute vec4 position;
attribute vec2 place;
varying vec2 uv;
uniform mat4 transform;
uniform vec2 shift;

void main() {
    uv = place + shift;
    gl_Position = transform * position;
}
