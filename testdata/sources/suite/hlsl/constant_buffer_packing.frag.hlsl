// The packing of constant buffers: a vector never crosses 16 bytes, and an array's elements begin at multiples of 16.
[[vk::binding(0, 0)]] cbuffer Packed {
    float one;
    float3 two;
    float2 three;
    float2 four;
    float list[3];
    float after;
    int2 five;
    uint six;
};

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    float4 sum = float4(two * one, after) + float4(three, four) + list[k & 1] + list[2];
    return sum * a + float4(five & 15, float(six & 15u), 0.5) * 0.125;
}
