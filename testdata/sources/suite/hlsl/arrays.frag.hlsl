// Local arrays, of vectors and of arrays, at computed indices.
float4 main(float4 a : A, nointerpolation int k : K) : SV_Target {
    float2 list[4];
    float grid[2][3] = { { a.x, 1.0, 2.0 }, { a.y, 4.0, a.z } };
    for (int i = 0; i < 4; i++) list[i] = a.xy * float(i) + a.zw;
    list[k & 3] += 1.0;
    grid[k & 1][2] = list[1].x;
    float2 sum = list[(k + 1) & 3] + list[2];
    return float4(sum, grid[0][2] + grid[1][1], grid[k & 1][k & 1]) * 0.25;
}
