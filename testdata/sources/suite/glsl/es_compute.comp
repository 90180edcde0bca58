#version 310 es
// A compute shader of GLSL ES.
layout(local_size_x = 4) in;
layout(std430, binding = 0) buffer Values { highp vec2 values[]; };
layout(std430, binding = 1) readonly buffer Keys { mediump int keys[4]; };

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    int key = keys[i] & 3;
    values[i] = values[i].yx * float(key + 1) + 0.5;
}
