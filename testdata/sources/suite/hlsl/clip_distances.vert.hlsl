// A position, and clip distances that clip nothing.
struct Output { float4 position : SV_Position; float2 clip : SV_ClipDistance; float4 passed : PASSED; };

Output main(float4 a : A) {
    Output result;
    result.position = float4(a.xy * 0.5, 0.5, 1.0);
    result.clip = abs(a.xy) + 0.125;
    result.passed = a;
    return result;
}
