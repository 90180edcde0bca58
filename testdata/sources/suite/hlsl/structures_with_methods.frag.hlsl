// A structure with a method, and one that contains another.
struct Ray {
    float3 origin, direction;
    float3 at(float t) { return origin + direction * t; }
};
struct Pair { Ray rays[2]; float weight; };

float4 main(float4 a : A) : SV_Target {
    Pair pair;
    pair.rays[0].origin = a.xyz;
    pair.rays[0].direction = a.wzy;
    pair.rays[1] = pair.rays[0];
    pair.rays[1].origin.x = 0.25;
    pair.weight = a.w;
    return float4(pair.rays[0].at(0.5) + pair.rays[1].at(pair.weight), 1.0) * 0.5;
}
