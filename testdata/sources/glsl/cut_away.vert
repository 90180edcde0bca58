#version 450
// Cut away: a machine with its place in the model, for planes that cut it open.
layout(location = 0) in vec4 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in int part;
layout(location = 0) out vec3 local;
layout(location = 1) out vec3 world_normal;
layout(location = 2) flat out int part_number;

layout(set = 0, binding = 0) uniform Parts {
    mat4 view_projection;
    mat4 part_matrices[12];
} parts;

void main() {
    int which = min(part, 11);
    mat4 m = parts.part_matrices[which];
    vec4 placed = m * position;
    local = placed.xyz / placed.w;
    world_normal = mat3(m[0].xyz, m[1].xyz, m[2].xyz) * normal;
    part_number = which;
    gl_Position = parts.view_projection * placed;
}
