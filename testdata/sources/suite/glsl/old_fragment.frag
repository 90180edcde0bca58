#version 120
// A fragment shader of GLSL 1.20: varyings, uniforms outside blocks and the old texture functions.
varying vec2 uv;
varying vec4 tint;
uniform sampler2D picture;
uniform float gain;

void main() {
    vec4 texel = texture2D(picture, uv);
    gl_FragColor = texel * tint * gain;
}
