// The changes of a smooth value between neighbouring pixels.
float4 main(float4 a : A) : SV_Target {
    float2 p = a.xy * a.xy + a.zw;
    return float4(ddx(p), ddy(p)) * 16.0 + fwidth(a);
}
