#version 450
// Comparisons of four depths, each at an offset of its own.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 compared;
layout(set = 0, binding = 0) uniform sampler2DShadow depths;
const ivec2 OFFSETS[4] = ivec2[](ivec2(0, 1), ivec2(-2, 3), ivec2(7, -8), ivec2(-1, -1));

void main() {
    compared = textureGatherOffsets(depths, uv, 0.4, OFFSETS);
}
