// A structure of push constants.
struct Object { float4 tint; float2 shift; int number; };
[[vk::push_constant]] Object object;

float4 main(float4 a : A) : SV_Target {
    return a * object.tint + float4(object.shift, float(object.number & 7), 0.0);
}
