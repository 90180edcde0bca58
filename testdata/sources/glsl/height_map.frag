#version 450
// Height map: hypsometric tints from an array, with contour lines of constant width.
layout(location = 0) in vec3 normal;
layout(location = 1) in float height;
layout(location = 2) in vec2 map_uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 3) uniform Style {
    float interval;
    float line_width;
    vec3 light;
} style;

const vec3 TINTS[5] = vec3[5](
    vec3(0.20, 0.40, 0.65),
    vec3(0.45, 0.65, 0.35),
    vec3(0.85, 0.80, 0.50),
    vec3(0.60, 0.45, 0.30),
    vec3(0.97, 0.97, 0.97)
);

vec3 tint(float h) {
    float scaled = clamp(h, 0.0, 0.9999) * 4.0;
    int i = int(scaled);
    return mix(TINTS[i], TINTS[i + 1], scaled - float(i));
}

void main() {
    float level = height / style.interval;
    float slope = abs(dFdx(level)) + abs(dFdy(level));
    float away = abs(fract(level - 0.5) - 0.5);
    float ink = 1.0 - smoothstep(style.line_width - 0.5, style.line_width + 0.5, away / max(slope, 1e-5));
    bool major = mod(floor(level + 0.5), 5.0) < 0.5;
    vec3 c = tint(height) * (0.6 + 0.4 * max(dot(normalize(normal), style.light), 0.0));
    c = mix(c, vec3(0.25, 0.15, 0.1), ink * (major ? 0.9 : 0.4));
    bool border = any(lessThan(map_uv, vec2(0.005))) || any(greaterThan(map_uv, vec2(0.995)));
    color = vec4(border ? vec3(0.1) : c, 1.0);
}
