#version 450
// Arrays of textures and samplers at indices that are computed: uniform, and not uniform.
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(location = 0) in vec2 uv;
layout(location = 1) flat in int place;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 fetched;
layout(set = 0, binding = 0) uniform sampler2D pictures[3];
layout(set = 0, binding = 1) uniform texture2D plain[2];
layout(set = 0, binding = 2) uniform sampler filtered[2];
layout(set = 0, binding = 3) uniform Which { int which; };

void main() {
    int at = which % 3;
    colour = texture(pictures[at], uv);
    colour += textureLod(pictures[nonuniformEXT(place % 3)], uv, 1.0) * 0.5;
    colour += textureGrad(sampler2D(plain[at & 1], filtered[(at + 1) & 1]), uv, vec2(0.1, 0.0), vec2(0.0, 0.1)) * 0.25;
    fetched = texelFetch(pictures[nonuniformEXT((place + 1) % 3)], ivec2(3, 4), 0);
    fetched.xy += vec2(textureSize(plain[at & 1], 1));
}
