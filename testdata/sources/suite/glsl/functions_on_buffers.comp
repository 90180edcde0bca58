#version 450
// Functions that read and write buffers, and that take parts of them as parameters.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Values { vec4 values[]; };

void scale(inout float x, float by) { x *= by; }
vec4 taken(uint at) { vec4 old = values[at & 7u]; values[at & 7u] = old * 0.5; return old; }

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    vec4 old = taken(i);
    scale(values[i + 4u].x, 0.25);
    scale(values[i + 4u].z, old.w);
    if (old.x > 0.5) return;
    values[i].yz = old.zy;
}
