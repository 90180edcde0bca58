#version 450
// Arrays of uniform blocks and storage buffers, at constant and at computed indices.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) uniform Weights { vec4 all; mat2 turn; } weights[2];
layout(set = 0, binding = 2) uniform Counts { int count; uint mask; } counts[2];
layout(set = 0, binding = 4) uniform After { int last; uint other; } after;
layout(std430, set = 1, binding = 0) buffer Floats { float sum; float numbers[]; } floats[3];
layout(std430, set = 1, binding = 3) buffer Total { float total; };
void main() {
    uint which = gl_LocalInvocationIndex;
    float number = weights[1].all.x + weights[which & 1].turn[1].y;
    number += float(counts[which & 1].count) + float(after.last);
    number += floats[0].numbers[which] + float(floats[2].numbers.length());
    floats[which % 3].numbers[which] = number;
    floats[1].sum += number;
    if (which == 0) total = floats[counts[0].mask % 3].sum;
}
