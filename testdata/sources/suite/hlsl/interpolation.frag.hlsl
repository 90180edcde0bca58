// Inputs that are interpolated in several ways, in a structure.
struct Input {
    float4 a : A;
    nointerpolation float2 constant : B;
    noperspective float2 linear_one : C;
    linear float3 curved : D;
    nointerpolation uint2 numbers : E;
};

float4 main(Input input) : SV_Target {
    float4 sum = input.a + float4(input.constant, input.linear_one) + float4(input.curved, 0.5);
    return sum + float4(input.numbers & 7u, 0.0, 0.0) * 0.125;
}
