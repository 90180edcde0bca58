#version 450
// Textures of ints and uints are fetched.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform isampler2D heights;
layout(set = 0, binding = 1) uniform usampler2DArray tiles;

void main() {
    ivec2 at = ivec2(clamp(uv, 0.0, 1.0) * 3.0);
    ivec4 i = texelFetch(heights, at, 0);
    uvec4 u = texelFetch(tiles, ivec3(at.yx, 1), 0);
    colour = vec4(i & 255) * 0.01 + vec4(u & 255u) * 0.02;
}
