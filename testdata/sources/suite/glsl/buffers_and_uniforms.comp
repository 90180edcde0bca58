#version 450
// Push constants, a uniform block and two buffers in one shader.
layout(local_size_x = 4, local_size_y = 2) in;
layout(set = 0, binding = 0) uniform Size { uvec2 size; vec4 weights; };
layout(std430, set = 0, binding = 2) buffer Grid { float cells[]; };
layout(std430, set = 1, binding = 0) buffer Other { uint counts[]; };
layout(push_constant) uniform Step { float rate; int turn; };

void main() {
    uvec2 at = gl_GlobalInvocationID.xy;
    uint i = (at.y * 4u + at.x) & 7u;
    cells[i] = cells[i] * rate + weights[(i + uint(turn)) & 3u];
    counts[i] = (size.x & 15u) + i;
}
