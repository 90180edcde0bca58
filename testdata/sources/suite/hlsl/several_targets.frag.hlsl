// A structure of outputs: two colours and the depth.
struct Output { float4 colour : SV_Target0; float2 velocity : SV_Target1; float depth : SV_Depth; };

Output main(float4 a : A) {
    Output result;
    result.colour = a * 0.5;
    result.velocity = a.zw - a.xy;
    result.depth = saturate(a.z) * 0.5 + 0.25;
    return result;
}
