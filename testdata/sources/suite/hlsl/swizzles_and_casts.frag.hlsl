// Components in any order, assignments to some, and conversions by casts.
float4 main(float4 a : A, nointerpolation int4 b : B) : SV_Target {
    float4 c = a.wwzy;
    c.zx = a.rg * 2.0;
    c.y += (float)(b.x & 7) + (float)((uint)b.y >> 29);
    int2 i = (int2)(clamp(a.xy, 0.0, 8.0) * 4.0);
    bool first = (bool)(b.z & 1);
    float3 cut = (float3)c;
    return float4(cut, first ? 1.0 : 0.0) + float4(i, 0, 0) * 0.125;
}
