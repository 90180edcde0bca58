#version 450
// Edge smoothing: finds the direction of steps in luminance, and searches along them in both directions.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D frame;
layout(set = 0, binding = 1) uniform sampler linear;
layout(set = 0, binding = 2) uniform Quality {
    vec2 texel;
    float least_contrast;
    int reach;
} quality;

float luma(vec2 p) {
    return dot(textureLod(sampler2D(frame, linear), p, 0.0).rgb, vec3(0.299, 0.587, 0.114));
}

float search(vec2 from, vec2 step_along, float edge_luma, float gradient, out bool found) {
    vec2 p = from;
    float difference = 0.0;
    found = false;
    for (int i = 1; i <= 12; i++) {
        if (i > quality.reach)
            break;
        p += step_along;
        difference = luma(p) - edge_luma;
        if (abs(difference) >= gradient) {
            found = true;
            break;
        }
    }
    return difference;
}

void main() {
    vec4 middle = textureLod(sampler2D(frame, linear), uv, 0.0);
    color = middle;
    float m = dot(middle.rgb, vec3(0.299, 0.587, 0.114));
    float n = luma(uv - vec2(0.0, quality.texel.y)), s = luma(uv + vec2(0.0, quality.texel.y));
    float w = luma(uv - vec2(quality.texel.x, 0.0)), e = luma(uv + vec2(quality.texel.x, 0.0));
    float high = max(m, max(max(n, s), max(w, e))), low = min(m, min(min(n, s), min(w, e)));
    if (high - low < quality.least_contrast)
        return;
    bool horizontal = abs(n + s - 2.0 * m) >= abs(w + e - 2.0 * m);
    float first = horizontal ? n : w, second = horizontal ? s : e;
    bool steeper_first = abs(first - m) >= abs(second - m);
    float gradient = 0.25 * max(abs(first - m), abs(second - m));
    vec2 across = horizontal ? vec2(0.0, quality.texel.y) : vec2(quality.texel.x, 0.0);
    if (steeper_first)
        across = -across;
    vec2 along = horizontal ? vec2(quality.texel.x, 0.0) : vec2(0.0, quality.texel.y);
    float edge_luma = 0.5 * (m + (steeper_first ? first : second));
    bool ended_left, ended_right;
    float left = search(uv + across * 0.5, -along, edge_luma, gradient, ended_left);
    float right = search(uv + across * 0.5, along, edge_luma, gradient, ended_right);
    float shift = ended_left && ended_right ? 0.5 : ended_left != ended_right ? 0.3 : 0.1;
    if ((left < 0.0) == (right < 0.0))
        shift *= 0.5;
    color = textureLod(sampler2D(frame, linear), uv + across * shift, 0.0);
}
