#version 450
// Kaleidoscope: folds the angle about the middle, and reads a picture that turns.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D beads;
layout(set = 0, binding = 1) uniform sampler mirrored;
layout(set = 0, binding = 2) uniform Tube {
    float mirrors;
    float turn;
    float zoom;
    vec2 middle;
} tube;

vec2 fold(vec2 p) {
    float sector = 6.2831853 / tube.mirrors;
    float angle = atan(p.y, p.x) + tube.turn;
    angle = mod(angle, sector);
    angle = abs(angle - sector * 0.5);
    return length(p) * vec2(cos(angle), sin(angle));
}

void main() {
    vec2 p = uv * 2.0 - 1.0;
    vec2 q = fold(fold(p) - tube.middle) * tube.zoom;
    vec4 c = texture(sampler2D(beads, mirrored), q + vec2(0.5), -0.5);
    float rim = 1.0 - smoothstep(0.97, 1.0, length(p));
    color = vec4(c.rgb * rim, 1.0);
}
