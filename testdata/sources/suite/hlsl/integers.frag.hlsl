// Arithmetic, shifts and bits of ints and uints; the remainder has the sign of the dividend.
float4 main(nointerpolation int4 a : A, nointerpolation uint4 b : B) : SV_Target {
    int4 x = a % 50 - 7, y = int4(b & 7) + 1;
    int4 i = x * y + x / y - x % y;
    uint4 u = ((b << 2) | (b >> 28)) & 255u;
    i += (x >> 1) ^ (~y & 3);
    u += b % 9u + b / 0x1000000u;
    return float4(i) * 0.125 + float4(u) * 0.03125;
}
