#version 450
// A workgroup whose size is a specialisation constant, which also is the length of a shared array.
layout(local_size_x_id = 3, local_size_y = 2) in;
layout(constant_id = 3) const uint WIDTH = 4u;
layout(constant_id = 4) const float GAIN = 1.5;
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };
shared float rows[WIDTH * 2u];

void main() {
    uint i = gl_LocalInvocationIndex;
    rows[i] = values[i] * GAIN;
    barrier();
    uint mirrored = WIDTH * 2u - 1u - i;
    values[i] = rows[mirrored] + float(gl_WorkGroupSize.x);
}
