// Comparisons with a reference.
[[vk::binding(0, 0)]] Texture2D depths;
[[vk::binding(1, 0)]] SamplerComparisonState compared;

float4 main(float3 a : A) : SV_Target {
    float one = depths.SampleCmp(compared, a.xy, 0.4375);
    float two = depths.SampleCmpLevelZero(compared, a.yx, a.z);
    return float4(one, two, one * two, 1.0);
}
