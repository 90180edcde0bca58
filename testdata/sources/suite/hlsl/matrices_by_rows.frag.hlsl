// Matrices that are stored by rows, beside ones that are not.
[[vk::binding(0, 0)]] cbuffer Matrices {
    row_major float4x4 rows;
    column_major float4x4 columns;
    row_major float3x3 small;
};

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    float4 p = mul(rows, a) - mul(columns, a.wzyx);
    p.xyz += mul(small, a.xyz) + small[k & 1];
    return p * 0.125 + rows[k & 3] * 0.5;
}
