#version 450
// Textures and samplers apart: a texture with two samplers, and a sampler with two textures.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform texture2D one;
layout(set = 0, binding = 1) uniform texture2D two;
layout(set = 1, binding = 0) uniform sampler first;
layout(set = 1, binding = 1) uniform sampler second;

void main() {
    vec4 sum = texture(sampler2D(one, first), uv) + texture(sampler2D(one, second), uv.yx) * 0.5;
    colour = sum + texture(sampler2D(two, first), uv * 0.5) * 0.25;
}
