#version 450
// Gathers of four texels, each at an offset of its own, from two textures.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 other;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform sampler2D second;
const ivec2 OFFSETS[4] = ivec2[](ivec2(0, 1), ivec2(-2, 3), ivec2(7, -8), ivec2(-1, -1));

void main() {
    colour = textureGatherOffsets(picture, uv, OFFSETS);
    other = textureGatherOffsets(second, uv, OFFSETS, 1);
}
