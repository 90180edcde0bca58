// A ConstantBuffer of a structure, with a matrix and an array.
struct Settings { float4x4 turn; float4 tints[2]; float gain; };
[[vk::binding(3, 1)]] ConstantBuffer<Settings> settings;

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    return mul(settings.turn, a) * settings.gain + settings.tints[k & 1];
}
