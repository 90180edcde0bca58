// Outputs that are parameters, of which one is a matrix and one an array.
void main(float4 a : A, out float4 position : SV_Position, out float2x3 turn : TURN, out float2 list[2] : LIST) {
    position = float4(a.xy * 0.5, 0.25, 1.0);
    turn = float2x3(a.xyz, a.yzw);
    list[0] = a.xy;
    list[1] = list[0] * 0.5 + a.zw;
}
