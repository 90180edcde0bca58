// transpose, determinant, and products of two matrices.
[[vk::binding(0, 0)]] cbuffer Matrices { float3x3 one; float3x3 two; };

float4 main(float3 a : A) : SV_Target {
    float3x3 product = mul(one, transpose(two));
    float3x3 sum = product * 0.5 + one - two * two;
    return float4(mul(sum, a), determinant(one)) * 0.25;
}
