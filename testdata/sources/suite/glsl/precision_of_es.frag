#version 310 es
// Precisions in GLSL ES: the decoration RelaxedPrecision, which permits less exact results.
precision mediump float;
precision highp int;
layout(location = 0) in highp vec4 a;
layout(location = 0) out mediump vec4 colour;
layout(set = 0, binding = 0) uniform Tint { lowp vec4 tint; highp float gain; };

void main() {
    mediump vec4 c = a * tint;
    lowp float grey = dot(c.rgb, vec3(0.25, 0.5, 0.25));
    int steps = int(clamp(gain, 0.0, 4.0));
    colour = mix(c, vec4(grey), 0.5) + float(steps) * 0.125;
}
