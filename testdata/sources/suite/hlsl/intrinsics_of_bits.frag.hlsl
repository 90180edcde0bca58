// Counted, reversed and found bits, and the bits of floats.
float4 main(float4 a : A, nointerpolation uint4 b : B) : SV_Target {
    uint4 u = countbits(b) + (reversebits(b) >> 24) + firstbitlow(b | 16u);
    uint high = firstbithigh(b.x | 1u);
    float4 back = asfloat(asuint(abs(a) + 1.0) & 0xffc00000u);
    int sign_bit = asint(a.x) < 0 ? 1 : 0;
    return float4(u) * 0.0625 + back + float(high) + float(sign_bit);
}
