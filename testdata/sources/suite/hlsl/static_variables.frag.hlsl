// Static variables and tables of constants at computed indices.
static const float3 PALETTE[4] = { float3(1.0, 0.5, 0.25), float3(0.0, 0.75, 0.5), float3(0.125, 0.125, 0.0), float3(0.9, 0.1, 0.3) };
static int calls = 0;
static float4 total = 0.25;

void add(float3 v) { total.xyz += v; calls++; }

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    add(PALETTE[k & 3] * a.xyz);
    if (a.w > 0.5) add(PALETTE[(k + 1) & 3]);
    return total + float(calls) * 0.0625;
}
