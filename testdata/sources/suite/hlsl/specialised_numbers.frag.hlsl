// Specialisation constants.
[[vk::constant_id(0)]] const int COUNT = 3;
[[vk::constant_id(1)]] const float GAIN = 0.75;
[[vk::constant_id(2)]] const bool BRIGHT = true;

float4 main(float4 a : A) : SV_Target {
    float4 sum = 0.0;
    for (int i = 0; i < COUNT; i++) sum += a * GAIN;
    if (BRIGHT) sum += 0.25;
    return sum;
}
