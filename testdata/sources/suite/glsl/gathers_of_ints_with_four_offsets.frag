#version 450
// Gathers of four ints, each at an offset of its own.
layout(location = 0) in vec2 uv;
layout(location = 0) out ivec4 colour;
layout(set = 0, binding = 0) uniform isampler2D numbers;
const ivec2 OFFSETS[4] = ivec2[](ivec2(0, 1), ivec2(-2, 3), ivec2(7, -8), ivec2(-1, -1));

void main() {
    colour = textureGatherOffsets(numbers, uv, OFFSETS, 3);
}
