// clip discards if a component is negative; discard does so at once.
float4 main(float4 a : A) : SV_Target {
    clip(a.xy - 0.05);
    if (a.z > 0.95) discard;
    return a * 0.5;
}
