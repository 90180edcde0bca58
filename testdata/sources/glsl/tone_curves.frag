#version 450
// Tone curves: a switch of tone mapping operators, some of which share their end.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D hdr;
layout(set = 0, binding = 1) uniform sampler point;
layout(set = 0, binding = 2) uniform Tone {
    int operator_index;
    float exposure;
    float white;
    float contrast;
} tone;

vec3 filmic(vec3 x) {
    return ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06)) - 0.0667;
}

vec3 apply(vec3 c) {
    vec3 result = c;
    switch (tone.operator_index) {
        case 0:
            return clamp(c, 0.0, 1.0);
        case 1:
            result = c * (1.0 + c / (tone.white * tone.white));
            // The extended curve ends as the simple one does.
        case 2:
            result = result / (1.0 + c);
            break;
        case 3:
            result = filmic(c) / filmic(vec3(tone.white));
            break;
        case 4:
        case 5: {
            float peak = max(c.r, max(c.g, c.b));
            if (peak <= 0.0)
                break;
            result = c / peak * (1.0 - exp(-peak));
            if (tone.operator_index == 5)
                result = mix(vec3(dot(result, vec3(0.333))), result, 1.2);
            break;
        }
        default:
            result = vec3(1.0, 0.0, 1.0);
    }
    return pow(clamp(result, 0.0, 1.0), vec3(tone.contrast));
}

void main() {
    vec4 c = texture(sampler2D(hdr, point), uv);
    color = vec4(apply(c.rgb * exp2(tone.exposure)), c.a);
}
