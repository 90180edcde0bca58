// Offsets that are stated with packoffset.
cbuffer Stated : register(b0) {
    float2 early : packoffset(c0.z);
    float middle : packoffset(c1.y);
    float4 late : packoffset(c3);
};

float4 main(float4 a : A) : SV_Target {
    return a * late + float4(early, middle, 1.0);
}
