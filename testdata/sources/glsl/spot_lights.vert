#version 450
// Spot lights: passes places, normals and texture coordinates in world space.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec2 uv;
layout(location = 0) out vec3 v_position;
layout(location = 1) out vec3 v_normal;
layout(location = 2) out vec2 v_uv;

layout(set = 0, binding = 0) uniform Transforms {
    mat4 model;
    mat4 view_projection;
} transforms;

void main() {
    vec4 world = transforms.model * vec4(position, 1.0);
    mat3 rotation = mat3(transforms.model);
    v_position = world.xyz;
    v_normal = transpose(inverse(rotation)) * normal;
    v_uv = uv;
    gl_Position = transforms.view_projection * world;
}
