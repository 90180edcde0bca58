#version 310 es
// A vertex shader of GLSL ES.
layout(location = 0) in highp vec4 position;
layout(location = 1) in mediump vec3 tint;
layout(location = 0) out mediump vec3 passed;
layout(set = 0, binding = 0, std140) uniform Camera { highp mat4 transform; mediump float gain; };

void main() {
    passed = tint * gain;
    gl_Position = transform * position;
}
