#version 450
// One texture with two samplers, one of an array of textures, and their sizes.
layout(set = 1, binding = 0) uniform texture2D map;
layout(set = 1, binding = 1) uniform sampler near;
layout(set = 1, binding = 2) uniform sampler far;
layout(set = 1, binding = 3) uniform texture2D maps[3];
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
void main() {
    vec2 size = vec2(textureSize(sampler2D(map, near), 0));
    colour = texture(sampler2D(map, near), uv) + texture(sampler2D(map, far), uv * size) + texture(sampler2D(maps[2], far), uv);
}
