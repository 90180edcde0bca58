// Lengths, products and reflections of vectors.
float4 main(float3 a : A, float3 b : B) : SV_Target {
    float3 n = normalize(abs(b) + 0.5), i = normalize(-abs(a) - 0.25);
    float3 sum = reflect(i, n) + refract(i, n, 0.75) + faceforward(n, i, n) + cross(a, n);
    return float4(sum, dot(a, b) + length(a) + distance(a, b));
}
