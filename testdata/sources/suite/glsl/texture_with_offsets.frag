#version 450
// Constant offsets in texels, at an implicit and at a stated level.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    vec4 sum = textureOffset(picture, uv, ivec2(1, 2)) + textureOffset(picture, uv, ivec2(-8, 7), 0.25);
    colour = (sum + textureLodOffset(picture, uv, 1.0, ivec2(-1, 0))) * 0.5;
}
