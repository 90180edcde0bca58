// The Interlocked functions on a byte address buffer, a structured buffer and variables of a group.
RWByteAddressBuffer bytes : register(u0);
RWStructuredBuffer<int> numbers : register(u1);
RWStructuredBuffer<uint> results : register(u2);
groupshared uint shared_sum;
groupshared int shared_least;

[numthreads(16, 1, 1)]
void main(uint3 id : SV_DispatchThreadID, uint index : SV_GroupIndex, uint3 group : SV_GroupID) {
    if (index == 0) {
        shared_sum = 0;
        shared_least = 100;
    }
    GroupMemoryBarrierWithGroupSync();
    uint before;
    int signed_before;
    bytes.InterlockedAdd(0, id.x);
    bytes.InterlockedMax(4, id.x);
    bytes.InterlockedOr(8, 1u << index);
    InterlockedMin(numbers[0], 3 - int(id.x));
    InterlockedAnd(numbers[1], int(id.x) | 4);
    InterlockedXor(numbers[2], int(id.x) * 5);
    uint own = 16 + (id.y * 32 + id.x) * 2;
    InterlockedExchange(numbers[own], int(id.x), signed_before);
    InterlockedCompareExchange(numbers[own + 1], 2, int(id.x) + 40, signed_before);
    InterlockedAdd(shared_sum, id.x);
    InterlockedMin(shared_least, 9 - int(index));
    GroupMemoryBarrierWithGroupSync();
    InterlockedAdd(results[own], shared_sum, before);
    results[own + 1] = before + uint(shared_least + signed_before);
}
