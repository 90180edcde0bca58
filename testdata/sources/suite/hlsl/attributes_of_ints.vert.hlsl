// Attributes and varyings of ints and uints.
struct Output { float4 position : SV_Position; nointerpolation int3 numbers : N; nointerpolation uint bits : B; };

Output main(int3 a : A, uint2 b : B, float c : C) {
    Output result;
    result.numbers = (a & 15) * 2 - int(b.x & 7u);
    result.bits = (b.x ^ b.y) & 255u;
    result.position = float4(float(a.x & 3) * 0.25, c * 0.125, 0.5, 1.0);
    return result;
}
