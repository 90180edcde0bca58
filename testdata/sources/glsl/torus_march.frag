#version 450
// Torus: ray marching of a turning ring with a soft shadow on the ground.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform View {
    float time;
    float aspect;
    vec3 sun;
} view;

mat2 rotation(float a) {
    float s = sin(a), c = cos(a);
    return mat2(c, s, -s, c);
}

float ring(vec3 p) {
    p.xy = rotation(view.time) * p.xy;
    p.yz *= rotation(view.time * 0.7);
    vec2 q = vec2(length(p.xz) - 0.8, p.y);
    return length(q) - 0.25;
}

float scene(vec3 p, out int what) {
    float a = ring(p), b = p.y + 1.2;
    what = a < b ? 1 : 2;
    return min(a, b);
}

bool march(vec3 from, vec3 ray, out vec3 hit, out int what) {
    float t = 0.0;
    for (int i = 0; i < 96; i++) {
        hit = from + ray * t;
        float d = scene(hit, what);
        if (d < 0.001)
            return true;
        t += d;
        if (t > 20.0)
            break;
    }
    what = 0;
    return false;
}

float shadow(vec3 from) {
    float lit = 1.0, t = 0.05;
    int ignored;
    while (t < 4.0) {
        float d = scene(from + view.sun * t, ignored);
        if (d < 0.001) return 0.0;
        lit = min(lit, 10.0 * d / t);
        t += clamp(d, 0.02, 0.3);
    }
    return lit;
}

vec3 normal(vec3 p) {
    vec2 e = vec2(1.0, -1.0) * 0.0006;
    int w;
    return normalize(e.xyy * scene(p + e.xyy, w) + e.yyx * scene(p + e.yyx, w)
        + e.yxy * scene(p + e.yxy, w) + e.xxx * scene(p + e.xxx, w));
}

void main() {
    vec3 from = vec3(0.0, 0.5, 3.5);
    vec3 ray = normalize(vec3((uv.x - 0.5) * view.aspect, uv.y - 0.6, -1.2));
    vec3 p;
    int what;
    color = vec4(0.6, 0.75, 0.9, 1.0);
    if (march(from, ray, p, what)) {
        float light = max(dot(normal(p), view.sun), 0.0) * shadow(p);
        vec3 base = what == 1 ? vec3(0.9, 0.6, 0.2) : vec3(0.4, 0.45, 0.4);
        color.rgb = base * (0.15 + light);
    }
}
