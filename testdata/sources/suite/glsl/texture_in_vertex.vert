#version 450
// Textures in a vertex shader are sampled at level 0, or fetched.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 passed;
layout(set = 0, binding = 0) uniform sampler2D heights;

void main() {
    vec4 texel = textureLod(heights, a.xy, 0.0);
    gl_Position = vec4(a.xy, texel.x * 0.5, 1.0);
    passed = texel + texelFetch(heights, ivec2(1), 0) * 0.5;
}
