#version 450
// Every built-in input of compute shaders.
layout(local_size_x = 2, local_size_y = 2, local_size_z = 2) in;
layout(std430, set = 0, binding = 0) buffer Result { uvec4 result[]; };

void main() {
    uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize;
    uvec3 at = gl_GlobalInvocationID;
    uint i = (at.z * all.y + at.y) * all.x + at.x;
    uvec3 same = gl_WorkGroupID * gl_WorkGroupSize + gl_LocalInvocationID;
    if (i < uint(result.length())) result[i] = uvec4(same, gl_LocalInvocationIndex);
}
