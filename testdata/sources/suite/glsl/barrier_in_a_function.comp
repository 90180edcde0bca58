#version 450
// A barrier inside a function and inside a loop with a uniform condition.
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Values { float values[]; };
layout(set = 0, binding = 1) uniform Turns { int turns; };
shared float list[8];

float passed_on(float own, uint by) {
    list[gl_LocalInvocationIndex] = own;
    barrier();
    float other = list[(gl_LocalInvocationIndex + by) & 7u];
    barrier();
    return other;
}

void main() {
    uint i = gl_LocalInvocationIndex;
    float own = values[i];
    for (int turn = 0; turn < (turns & 3); turn++) own = passed_on(own, 1u) * 0.5 + 0.25;
    values[i] = own + passed_on(own, 3u);
}
