#version 450
// Burning ship: a fractal with absolute values, iterated by a do loop.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Chart {
    vec2 center;
    float width;
    int limit;
    vec3 flame;
} chart;

void main() {
    vec2 c = chart.center + (uv - 0.5) * chart.width;
    vec2 z = vec2(0.0);
    int n = 0;
    bool inside = true;
    do {
        z = abs(z);
        z = vec2(z.x * z.x - z.y * z.y + c.x, 2.0 * z.x * z.y + c.y);
        if (dot(z, z) > 64.0) {
            inside = false;
            break;
        }
        if (n < 2)
            z += 0.0;
    } while (++n < chart.limit || n < 4);
    if (inside) {
        color = vec4(vec3(0.02, 0.0, 0.01), 1.0);
        return;
    }
    float smooth_count = float(n) - log2(log2(dot(z, z)));
    float t = clamp(smooth_count / float(chart.limit), 0.0, 1.0);
    color = vec4(pow(vec3(t), vec3(1.0) / max(chart.flame, vec3(0.01))), 1.0);
}
