#version 450
// Memory barriers without a control barrier.
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Numbers { uint numbers[]; };
shared uint parts[4];
void main() {
    parts[gl_LocalInvocationIndex] = numbers[gl_GlobalInvocationID.x];
    memoryBarrierShared();
    numbers[gl_GlobalInvocationID.x] = parts[gl_LocalInvocationIndex];
    memoryBarrier();
}
