#version 450
// Lightning: a bolt with branches whose path is halved and displaced again and again.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Bolt {
    vec2 from;
    vec2 to;
    float seed;
    float spread;
    vec4 glow;
} bolt;

float random(float n) {
    return fract(sin(n * 12.9898 + bolt.seed) * 43758.5453) - 0.5;
}

float segment(vec2 p, vec2 a, vec2 b) {
    vec2 pa = p - a, ba = b - a;
    return length(pa - ba * clamp(dot(pa, ba) / max(dot(ba, ba), 1e-6), 0.0, 1.0));
}

void main() {
    float points[9];
    for (int i = 0; i < 9; i++)
        points[i] = 0.0;
    float size = bolt.spread;
    for (int stride = 4; stride > 0; stride /= 2) {
        for (int i = stride; i < 8; i += stride * 2)
            points[i] = 0.5 * (points[i - stride] + points[i + stride]) + random(float(i)) * size;
        size *= 0.5;
    }
    vec2 along = bolt.to - bolt.from;
    vec2 side = vec2(-along.y, along.x);
    float d = 10.0;
    vec2 last = bolt.from;
    for (int i = 1; i < 9; i++) {
        vec2 here = bolt.from + along * (float(i) / 8.0) + side * points[i];
        d = min(d, segment(uv, last, here));
        if (i == 3 || i == 6) {
            vec2 branch = here + along * 0.2 + side * (points[i] + random(float(i) + 20.0)) * 0.6;
            d = min(d, segment(uv, here, branch) * 1.8);
        }
        last = here;
    }
    float core = 1.0 - smoothstep(0.0, 0.006, d);
    color = vec4(bolt.glow.rgb * (0.004 / (d * d + 0.004)) + core, 1.0) * bolt.glow.a;
}
