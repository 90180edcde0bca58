// Parameters that are in, out and inout, overloads, and default values.
void split(in float4 whole, out float2 first, out float2 second) { first = whole.xy; second = whole.zw; }
void grow(inout float x, float by) { x += by; }
float half_of(float x) { return x * 0.5; }
float2 half_of(float2 x) { return x * 0.5 + 0.125; }

float4 main(float4 a : A) : SV_Target {
    float2 one, two;
    split(a, one, two);
    grow(one.x, two.y);
    grow(two.x, half_of(one.y));
    return float4(half_of(one), two);
}
