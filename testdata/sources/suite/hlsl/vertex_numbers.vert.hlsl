// The numbers of the vertex and of the instance.
struct Output { float4 position : SV_Position; nointerpolation uint2 numbers : NUMBERS; float4 passed : PASSED; };

Output main(float4 a : A, uint vertex : SV_VertexID, uint instance : SV_InstanceID) {
    Output result;
    float2 corner = float2((vertex << 1) & 2, vertex & 2) - 1.0;
    result.position = float4(corner, 0.5, 1.0);
    result.numbers = uint2(vertex % 3, instance & 3u);
    result.passed = a;
    return result;
}
