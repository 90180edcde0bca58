// Comparisons by components, any, all, and the conditional operator.
[[vk::binding(0, 0)]] cbuffer Limits { float4 low; float4 high; int limit; };

float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    bool4 above = a > low, below = a <= high;
    float inside = all(above) ? 1.0 : 0.25;
    float touching = any(below) || a.x == a.y ? 0.5 : 0.125;
    bool less = k < limit, other = (uint)k >= (uint)limit;
    float4 chosen = a.x > 0.5 && !less ? a.wzyx : a;
    return chosen + float4(inside, touching, less ? 1.0 : 0.0, other != less ? 1.0 : 0.0);
}
