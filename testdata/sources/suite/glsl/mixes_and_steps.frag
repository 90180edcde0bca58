#version 450
// mix, step and smoothstep with scalars and vectors.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Edges { vec4 from; vec4 to; float weight; };

void main() {
    vec4 blended = mix(from, to, a) + mix(a, to, weight);
    vec4 stepped = step(from, a) + step(0.5, a.wzyx);
    vec4 smoothed = smoothstep(-abs(from) - 0.5, abs(to) + 0.5, a) + smoothstep(0.0, 1.0, a.yyxx);
    colour = blended * 0.5 + stepped * 0.25 + smoothed;
}
