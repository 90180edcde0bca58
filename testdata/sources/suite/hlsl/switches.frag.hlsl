// A switch with shared labels and a default, and one inside a loop.
float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    float4 c = a;
    switch (k & 7) {
    case 0: c = c.yzwx; break;
    case 1:
    case 2: c *= 2.0; break;
    default: c.xy = c.zw; break;
    case 5: c = 0.25; break;
    }
    for (int i = 0; i < 5; i++) {
        switch ((k + i) & 3) {
        case 1: c.x += 0.5; break;
        case 2: c.y += 0.25; continue;
        }
        c.z *= 0.875;
    }
    return c;
}
