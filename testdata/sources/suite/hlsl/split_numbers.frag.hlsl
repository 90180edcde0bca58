// Numbers that are split into parts and joined again.
float4 main(float4 a : A) : SV_Target {
    float2 whole;
    float2 rest = modf(a.xy * 3.0 + 0.03125, whole);
    float joined = a.z * exp2(2.0);
    uint2 halves = f32tof16(floor(a.zw * 8.0));
    float2 back = f16tof32(halves);
    return float4(rest + whole * 0.25, back) + joined * 0.0625;
}
