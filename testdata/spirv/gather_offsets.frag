#version 450
// Gathers with an offset for each texel.
layout(binding = 0) uniform sampler2D picture;
layout(binding = 1) uniform sampler2DArrayShadow shadows;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
void main() {
    const ivec2 offsets[4] = ivec2[](ivec2(-8, 0), ivec2(0, 0), ivec2(1, -2), ivec2(7, 7));
    colour = textureGatherOffsets(picture, uv, offsets, 2);
    colour += textureGatherOffsets(shadows, vec3(uv, 1.0), 0.5, offsets);
}
