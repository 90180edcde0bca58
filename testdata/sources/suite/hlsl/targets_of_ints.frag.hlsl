// Targets of ints.
struct Result {
    int4 whole : SV_Target0;
    uint2 two : SV_Target1;
    float4 colour : SV_Target2;
};

Result main(float4 a : A, nointerpolation uint2 n : N) {
    Result result;
    result.whole = int4(a * 50.0) - int4(n, n);
    result.two = n * 0x10001u;
    result.colour = a;
    return result;
}
