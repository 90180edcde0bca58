#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Texels by their integer coordinates and level.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform texture2D plain;

void main() {
    ivec2 at = ivec2(clamp(uv, 0.0, 1.0) * 3.0) + 1;
    colour = texelFetch(picture, at, 0) + texelFetchOffset(picture, at, 0, ivec2(-1, 1)) * 0.5;
    colour += texelFetch(picture, at >> 1, 1) * 0.25 + texelFetch(plain, at.yx, 0) * 0.125;
}
