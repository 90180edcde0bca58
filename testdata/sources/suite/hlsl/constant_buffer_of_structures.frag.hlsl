// Structures and arrays of structures in a constant buffer.
struct Light { float3 direction; float power; float4 tint; };
[[vk::binding(0, 0)]] cbuffer Lights { Light lights[3]; Light sun; int count; };

float4 lit(Light light, float3 normal) {
    return light.tint * max(dot(light.direction, normal), 0.0) * light.power;
}

float4 main(float3 normal : NORMAL, nointerpolation int k : K) : SV_Target {
    float4 sum = lit(sun, normal);
    for (int i = 0; i < min(count & 3, 3); i++) sum += lit(lights[i], normal.zxy);
    return sum * 0.25 + lights[k & 1].tint;
}
