#version 450
// A structure of floats, ints and uints in one buffer.
layout(local_size_x = 4) in;
struct Cell { uint flags; int age; float heat; uvec2 links; };
layout(std430, set = 0, binding = 0) buffer Cells { Cell cells[]; };

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    uint other = cells[i].links.x & 3u;
    float heat = clamp(cells[i].heat, -100.0, 100.0);
    cells[i].flags = (cells[i].flags << 1) | 1u;
    cells[i].age = max(cells[i].age, -5) + int(other);
    cells[i].heat = heat * 0.5;
    cells[i].links.y ^= 21u;
}
