// Registers of each kind; a binding follows from its register's number.
cbuffer Tint : register(b0) { float4 tint; };
cbuffer Gain : register(b3, space1) { float gain; };
Texture2D picture : register(t1);
SamplerState filtered : register(s2);

float4 main(float2 uv : TEXCOORD0) : SV_Target {
    return picture.Sample(filtered, uv) * tint + gain;
}
