#version 450
// A runtime array that is read and written, with its length.
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer Source { float values[]; } source;
layout(std430, set = 0, binding = 1) writeonly buffer Result { float values[]; } result;

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint last = uint(source.values.length()) - 1u;
    if (i < uint(result.values.length())) result.values[i] = source.values[min(i, last)] * 2.0 + source.values[last - min(i, last)];
}
