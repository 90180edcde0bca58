#version 450
// Arrays of storage buffers at indices that are computed.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) readonly buffer Given { vec2 given[]; } from[2];
layout(std430, set = 0, binding = 1) buffer Result { float results[]; } to[3];
layout(set = 0, binding = 2) uniform Which { int which; };

void main() {
    uint i = gl_GlobalInvocationID.y * 16u + gl_GlobalInvocationID.x;
    vec2 one = from[which & 1].given[i];
    vec2 other = from[nonuniformEXT(int(i) & 1)].given[i + 1u];
    to[which % 3].results[i] = one.x * other.y;
    to[nonuniformEXT(i % 3u)].results[64u + i] = one.y + other.x;
}
