// The position of the fragment and the side of the triangle.
float4 main(float4 position : SV_Position, bool front : SV_IsFrontFace, float4 a : A) : SV_Target {
    float2 cell = fmod(floor(position.xy), 4.0);
    float4 c = front ? a : a.wzyx * 0.5;
    return c + float4(cell * 0.125, position.z, 0.0);
}
