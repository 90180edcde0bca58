// Returns from the middle of functions and of loops.
float grade(float x) {
    if (x < 0.25) return 0.0;
    for (int i = 0; i < 4; i++) {
        if (x > 1.5) return x;
        x *= 1.5;
    }
    return 1.0 - x;
}

float4 main(float4 a : A) : SV_Target {
    if (a.w > 0.75) return a.wzyx;
    return float4(grade(a.x), grade(a.y), grade(a.z), 0.5);
}
