// The four operations, and fmod, whose result has the sign of the dividend.
[[vk::binding(0, 0)]] cbuffer Factors { float4 scale; float bias; };

float4 main(float4 a : A, float4 b : B) : SV_Target {
    float4 sum = a + b * scale;
    float4 quotient = (sum - bias) / (abs(b) + 1.0);
    float4 rest = fmod(a * 3.0 + 0.03125, abs(scale) + 1.5);
    return quotient + rest - -a;
}
