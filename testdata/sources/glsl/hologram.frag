#version 450
// Hologram: lines over the screen, an edge that glows, and a dim inside.
layout(location = 0) in vec3 to_eye;
layout(location = 1) in vec3 normal;
layout(location = 2) in float height;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 1) uniform Look {
    vec4 tint;
    float line_height;
    float time;
} look;

void main() {
    float row = floor(gl_FragCoord.y / look.line_height);
    float line = mod(row, 2.0) == 0.0 ? 1.0 : 0.55;
    float sweep = smoothstep(0.9, 1.0, fract(height * 0.5 - look.time * 0.3));
    float edge = 1.0 - abs(dot(normalize(normal), normalize(to_eye)));
    float body = edge * edge + 0.15 + sweep;
    if (!gl_FrontFacing)
        body *= 0.3;
    color = look.tint * body * line;
    color.a = clamp(body, 0.0, 1.0) * look.tint.a;
}
