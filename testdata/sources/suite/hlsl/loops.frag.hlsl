// Loops with breaks and continues, with and without attributes.
[[vk::binding(0, 0)]] cbuffer Bounds { int count; };

float4 main(float4 a : A) : SV_Target {
    float sum = 0.0;
    int steps = 0;
    [unroll] for (int i = 0; i < 4; i++) sum += a[i] * float(i);
    [loop] for (int k = 0; k < min(count & 15, 9); k++) {
        if (k == 3) continue;
        sum *= 0.75;
        if (sum > 4.0) break;
        sum += 0.25;
    }
    while (steps < 6 && sum > 0.5) { sum *= 0.5; steps++; }
    do { steps += 2; } while (steps < 3);
    return float4(sum, float(steps), a.xy);
}
