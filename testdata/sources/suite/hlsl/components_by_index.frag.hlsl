// Components of vectors, and rows and components of matrices, at computed indices.
[[vk::binding(0, 0)]] cbuffer Matrix { float4x3 given; };

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    float4 c = a;
    c[k & 3] = 0.75;
    float2x2 m = float2x2(a.x, a.y, a.z, a.w);
    m[k & 1] = c.zw;
    m[1][k & 1] += 0.5;
    float3 row = given[k & 3];
    return float4(mul(m, c.xy), row[k & 1], c[(k + 2) & 3]);
}
