#version 450
// A sum over a workgroup in shared memory, with barriers.
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };
shared float parts[16];

void main() {
    uint i = gl_LocalInvocationIndex;
    parts[i] = values[i & 15u];
    barrier();
    for (uint step = 8u; step > 0u; step >>= 1) {
        if (i < step) parts[i] += parts[i + step];
        barrier();
    }
    values[i] = parts[0] + float(i);
}
