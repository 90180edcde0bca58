ByteAddressBuffer numbers : register(t512);
RWByteAddressBuffer sums : register(u513);
groupshared uint tile_2[128];

uint bytes_of(ByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

uint bytes_of_rw(RWByteAddressBuffer buffer) {
    uint ret;
    buffer.GetDimensions(ret);
    return ret;
}

[numthreads(128, 1, 1)]
void prefix_sum(uint3 id : SV_DispatchThreadID, uint lane : SV_GroupIndex) {
    tile_2[lane] = 0u;
    GroupMemoryBarrierWithGroupSync();
    uint distance_1 = 0u;
    uint sum = 0u;
    int value = int(id.x);
    int value_1 = int(lane);
    int index = clamp(value_1, 0, 127);
    tile_2[index] = numbers.Load(min(uint(max(value, 0)), bytes_of(numbers) / 4 - 1u) * 4);
    GroupMemoryBarrierWithGroupSync();
    distance_1 = 1u;
    while (true) {
        if (!(distance_1 < 128u)) {
            break;
        }
        uint value_2 = tile_2[index];
        sum = value_2;
        if (lane >= distance_1) {
            sum = value_2 + tile_2[clamp(int(lane - distance_1), 0, 127)];
        }
        GroupMemoryBarrierWithGroupSync();
        tile_2[index] = sum;
        GroupMemoryBarrierWithGroupSync();
        distance_1 = distance_1 * 2u;
    }
    sums.Store(min(uint(max(value, 0)), bytes_of_rw(sums) / 4 - 1u) * 4, tile_2[index]);
}
