// Types of at least 16 bits, which are decorated with RelaxedPrecision.
float4 main(float4 a : A) : SV_Target {
    min16float4 x = (min16float4)(floor(clamp(a, 0.0, 4.0) * 8.0));
    min16float one = x.x + (min16float)0.5;
    min16float4 sum = x * (min16float)2.0 - one;
    return float4(sum) * 0.125;
}
