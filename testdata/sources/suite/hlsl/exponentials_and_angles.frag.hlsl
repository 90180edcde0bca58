// Powers, logarithms and angles.
float4 main(float4 a : A) : SV_Target {
    float4 x = clamp(abs(a), 0.25, 1.25);
    float4 s, c;
    sincos(x, s, c);
    float4 sum = pow(x, 1.5) + exp(-x) + exp2(x) + log(x) + log2(x) + log10(x) + sqrt(x);
    sum += s * 2.0 + c + tan(x) + asin(x * 0.5) + acos(x * 0.5) + atan(x) + atan2(x, x.wzyx + 0.5);
    sum += sinh(x) + cosh(x) + tanh(x) + radians(x * 90.0) + degrees(x) * 0.01;
    return sum * 0.0625;
}
