// Results that may not be contracted.
float4 main(float4 a : A) : SV_Target {
    precise float2 exact = a.xy * a.zw + a.zw;
    precise float sum = (a.x + a.y) + (a.z + a.w);
    return float4(exact, sum, a.x * a.y + a.z);
}
