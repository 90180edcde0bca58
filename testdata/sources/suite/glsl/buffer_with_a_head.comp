#version 450
// A runtime array after other members; its length does not count them.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer List { uint length_read; float scale; uvec2 pad; vec2 items[]; } list;

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint count = uint(list.items.length());
    if (i == 0u) list.length_read = count;
    if (i < count) list.items[i] = list.items[i].yx * list.scale + float(count) * 0.125;
}
