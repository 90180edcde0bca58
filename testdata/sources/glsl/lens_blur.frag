#version 450
// Lens blur: depth of field on a golden spiral, with discs as large as the blur of their own depth.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D scene;
layout(set = 0, binding = 1) uniform texture2D depths;
layout(set = 0, binding = 2) uniform sampler clamped;
layout(set = 0, binding = 3) uniform Lens {
    vec2 texel;
    float focus;
    float aperture;
    float max_radius;
} lens;

float blur_size(float depth) {
    float coc = clamp((1.0 / lens.focus - 1.0 / max(depth, 0.001)) * lens.aperture, -1.0, 1.0);
    return abs(coc) * lens.max_radius;
}

void main() {
    float own_depth = texture(sampler2D(depths, clamped), uv).r;
    float own_size = blur_size(own_depth);
    vec3 sum = texture(sampler2D(scene, clamped), uv).rgb;
    float total = 1.0, radius = 0.5;
    const float GOLDEN = 2.39996323;
    for (float angle = 0.0; radius < lens.max_radius; angle += GOLDEN) {
        vec2 at = uv + vec2(cos(angle), sin(angle)) * lens.texel * radius;
        vec3 c = textureLod(sampler2D(scene, clamped), at, 0.0).rgb;
        float d = textureLod(sampler2D(depths, clamped), at, 0.0).r;
        float s = blur_size(d);
        if (d > own_depth)
            s = clamp(s, 0.0, own_size * 2.0);
        float m = smoothstep(radius - 0.5, radius + 0.5, s);
        sum += mix(sum / total, c, m);
        total += 1.0;
        radius += 1.5 / radius;
    }
    color = vec4(sum / total, 1.0);
}
