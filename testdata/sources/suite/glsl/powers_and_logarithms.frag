#version 450
// pow, exp, log, exp2, log2, sqrt and inversesqrt of positive numbers.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 x = clamp(abs(a), 0.125, 4.0);
    vec4 sum = pow(x, vec4(0.5, 1.5, 2.0, -1.0)) + exp(-x) + log(x);
    sum += exp2(x.wzyx * 0.5) + log2(x + 1.0);
    sum += sqrt(x) + inversesqrt(x.yxwz);
    colour = sum * 0.125;
}
