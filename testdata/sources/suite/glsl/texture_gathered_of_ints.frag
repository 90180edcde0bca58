#version 450
// Gathers from textures of ints and uints.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform isampler2D heights;
layout(set = 0, binding = 1) uniform usampler2D tiles;

void main() {
    ivec4 i = textureGather(heights, uv, 0);
    uvec4 u = textureGather(tiles, uv.yx, 1);
    colour = vec4(i & 255) * 0.01 + vec4(u & 255u) * 0.02;
}
