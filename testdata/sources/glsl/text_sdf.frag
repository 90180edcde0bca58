#version 450
// Text: letters from a field of distances, with an outline and a shadow.
layout(location = 0) in vec2 uv;
layout(location = 1) in vec4 v_ink;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 1) uniform texture2D atlas;
layout(set = 0, binding = 2) uniform sampler atlas_sampler;
layout(set = 0, binding = 3) uniform Style {
    vec4 outline;
    vec4 shadow;
    vec2 shadow_offset;
    float outline_width;
} style;

float median(vec3 v) {
    return max(min(v.r, v.g), min(max(v.r, v.g), v.b));
}

void over(inout vec4 below, vec4 ink, float cover) {
    vec4 above = vec4(ink.rgb * ink.a, ink.a) * cover;
    below = above + below * (1.0 - above.a);
}

void main() {
    float d = median(texture(sampler2D(atlas, atlas_sampler), uv).rgb) - 0.5;
    float s = median(texture(sampler2D(atlas, atlas_sampler), uv - style.shadow_offset).rgb) - 0.5;
    float soft = max(length(vec2(dFdx(d), dFdy(d))), 0.001);
    vec4 result = vec4(0.0);
    over(result, style.shadow, smoothstep(-0.2, 0.2, s));
    over(result, style.outline, clamp((d + style.outline_width) / soft + 0.5, 0.0, 1.0));
    over(result, v_ink, clamp(d / soft + 0.5, 0.0, 1.0));
    if (result.a < 1.0 / 255.0) {
        discard;
    }
    color = result;
}
