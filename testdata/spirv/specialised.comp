#version 450
// Specialisation constants, of which one is the size of the workgroup and one the length of an array.
layout(local_size_x_id = 1, local_size_y = 2) in;
layout(constant_id = 0) const int COUNT = 3;
layout(constant_id = 2) const float SCALE = 0.5;
layout(constant_id = 3) const bool TWICE = false;
layout(std430, binding = 0) buffer Numbers { float numbers[]; };
shared float parts[COUNT * 2];
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i < uint(COUNT)) parts[i] = numbers[i] * SCALE;
    barrier();
    numbers[i] = parts[(i + 1u) % uint(COUNT)] * (TWICE ? 2.0 : 1.0) + float(gl_WorkGroupSize.x);
}
