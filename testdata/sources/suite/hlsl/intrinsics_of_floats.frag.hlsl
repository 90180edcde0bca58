// Functions of floats that have a counterpart under the same or another name.
float4 main(float4 a : A) : SV_Target {
    float4 x = clamp(abs(a), 0.125, 2.0);
    float4 sum = lerp(x, x.wzyx, 0.25) + saturate(a) + frac(x) + rcp(x) * 0.5 + rsqrt(x);
    sum += floor(a * 3.0 + 0.0625) + ceil(a * 2.0 + 0.0625) + trunc(a * 5.0 + 0.0625) + round(floor(a) + 0.25);
    sum += mad(a, 0.5, x) + step(0.5, a) + smoothstep(0.0, 1.0, a) + sign(a);
    return sum * 0.125;
}
