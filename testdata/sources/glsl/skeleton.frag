#version 450
// Skeleton: skin lit from three sides, with red light that scatters past the terminator.
layout(location = 0) in vec3 normal;
layout(location = 1) in vec2 texcoord;
layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform texture2D skin;
layout(set = 1, binding = 1) uniform sampler skin_sampler;
layout(set = 1, binding = 2) uniform Lamps {
    vec4 direction[3];
    vec4 radiance[3];
} lamps;

vec3 scatter(float cosine) {
    vec3 wrap = vec3(0.5, 0.2, 0.1);
    vec3 lit = (vec3(cosine) + wrap) / (1.0 + wrap);
    return max(lit, vec3(0.0));
}

void main() {
    vec4 base = texture(sampler2D(skin, skin_sampler), texcoord);
    vec3 n = normalize(normal);
    vec3 sum = vec3(0.03);
    for (int i = 0; i < 3; ++i)
        sum += scatter(dot(n, -lamps.direction[i].xyz)) * lamps.radiance[i].rgb;
    color = vec4(base.rgb * sum, base.a);
}
