#version 450
#extension GL_EXT_samplerless_texture_functions : require
// One texture that is sampled, and compared with a sampler for comparisons.
layout(location = 0) in vec3 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform texture2D depths;
layout(set = 0, binding = 1) uniform samplerShadow compared;

void main() {
    float lit = texture(sampler2DShadow(depths, compared), vec3(a.xy, 0.4375));
    colour = vec4(lit, texelFetch(depths, ivec2(1, 2), 0).x, a.xy);
}
