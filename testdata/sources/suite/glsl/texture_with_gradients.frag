#version 450
// Derivatives that are stated, with and without an offset.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    vec2 x = vec2(0.015625, 0.0), y = vec2(0.0, 0.015625);
    colour = textureGrad(picture, uv, x, y) + textureGradOffset(picture, uv, x, y, ivec2(1, -1)) * 0.5;
}
