#version 450
// Shared variables of several types: a scalar, a matrix, a structure and an array of arrays.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Values { vec4 values[]; };
struct Entry { vec2 place; int owner; };
shared uint total;
shared mat2 turn;
shared Entry entries[4];
shared float grid[2][4];

void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0u) { total = 3u; turn = mat2(0.5, 1.0, 0.25, 2.0); }
    entries[i] = Entry(values[i].xy, int(i));
    grid[0][i] = values[i].z;
    grid[1][3u - i] = values[i].w;
    memoryBarrierShared();
    barrier();
    Entry other = entries[(i + 1u) & 3u];
    values[i] = vec4(turn * other.place, grid[0][(i + 2u) & 3u] + grid[1][i], float(other.owner) + float(total));
}
