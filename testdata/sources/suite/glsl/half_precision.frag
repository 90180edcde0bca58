#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Arithmetic on half-precision numbers. All values are exact.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    f16vec4 x = f16vec4(floor(clamp(a, 0.0, 4.0) * 8.0));
    float16_t one = x.x + float16_t(0.5);
    f16vec4 sum = x * float16_t(2.0) - f16vec4(one, x.yzw) + f16vec4(0.25);
    f16vec2 larger = max(sum.xy, sum.zw);
    colour = vec4(sum) * 0.125 + vec4(vec2(larger), float(one), sum.x > sum.y ? 0.5 : 0.0);
}
