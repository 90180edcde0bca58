#version 450
// Functions that call functions, with values of several types.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Frame { mat2 frame; };

float bent(float x) { return x * x * (3.0 - 2.0 * x); }
vec2 bent(vec2 x) { return vec2(bent(x.x), bent(x.y)); }
vec2 placed(vec2 p, mat2 m) { return bent(m * p) + p; }

void main() {
    colour = vec4(placed(a.xy, frame), placed(a.zw, frame * 0.5));
}
