// Buffers of structures: one is read, one is written.
struct Body { float3 place; float mass; float2 speed; int kind; };
[[vk::binding(0, 0)]] StructuredBuffer<Body> source;
[[vk::binding(1, 0)]] RWStructuredBuffer<Body> result;

[numthreads(4, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint i = id.x & 3u;
    Body body = source[i];
    body.place.xy += body.speed * 0.5;
    body.kind = (body.kind & 7) + 1;
    result[i] = body;
    result[i].mass = source[3u - i].mass * 2.0;
}
