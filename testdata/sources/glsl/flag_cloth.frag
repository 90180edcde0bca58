#version 450
// Flag: three stripes and a star, woven, seen from both sides.
layout(location = 0) in vec2 uv;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 1) uniform Colors {
    vec4 stripes[3];
    vec4 star;
} colors;

bool in_star(vec2 p) {
    for (int i = 0; i < 5; i++) {
        float a = 6.2831853 * float(i) / 5.0;
        vec2 n = vec2(sin(a), cos(a));
        vec2 t = vec2(n.y, -n.x);
        float d = dot(p, n);
        if (d > 0.0 && abs(dot(p, t)) < (0.12 - d) * 0.325)
            return true;
    }
    return length(p) < 0.045;
}

void main() {
    int stripe = clamp(int(uv.y * 3.0), 0, 2);
    vec4 base = in_star(uv - vec2(0.5, 0.5)) ? colors.star : colors.stripes[stripe];
    vec2 threads = sin(uv * 800.0);
    float weave = 0.95 + 0.05 * threads.x * threads.y;
    float facing = gl_FrontFacing ? normal.z : -normal.z;
    color = vec4(base.rgb * weave * (0.7 + 0.3 * facing), base.a);
}
