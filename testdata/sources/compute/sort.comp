#version 450

// Sorts the 64 numbers of each workgroup, by exchanges over ever smaller gaps (a bitonic network).

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) buffer Numbers {
    int numbers[];
};

shared int tile[64];

void main() {
    uint lane = gl_LocalInvocationIndex;
    tile[lane] = numbers[gl_GlobalInvocationID.x];
    barrier();
    for (uint size = 2u; size <= 64u; size *= 2u) {
        for (uint gap = size / 2u; gap > 0u; gap /= 2u) {
            uint other = lane ^ gap;
            int own = tile[lane];
            int theirs = tile[other];
            barrier();
            bool rises = (lane & size) == 0u;
            bool is_lower = lane < other;
            tile[lane] = rises == is_lower ? min(own, theirs) : max(own, theirs);
            barrier();
        }
    }
    numbers[gl_GlobalInvocationID.x] = tile[lane];
}
