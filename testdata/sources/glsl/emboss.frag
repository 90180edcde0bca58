#version 450
// Differences between the texels to either side, and of those with a coarser level.

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 1) uniform texture3D grain;
layout(set = 0, binding = 2) uniform sampler near;

const ivec2 BESIDE = ivec2(1, -1);

void main() {
    vec4 first = textureOffset(sampler2D(picture, near), uv, BESIDE);
    vec4 second = textureOffset(sampler2D(picture, near), uv, ivec2(-1, 1), 0.5);
    vec4 coarse = textureLodOffset(sampler2D(picture, near), uv, 1.0, ivec2(3));
    vec4 along = textureGradOffset(sampler2D(picture, near), uv, dFdx(uv), dFdy(uv), ivec2(0, -8));
    float noise = textureLodOffset(sampler3D(grain, near), vec3(uv, 0.5), 0.0, ivec3(1, 2, -3)).r;
    vec4 raised = (first - second) * 0.5 + 0.5;
    colour = vec4(mix(raised.rgb, coarse.rgb, 0.25) + noise * 0.1, along.a);
}
