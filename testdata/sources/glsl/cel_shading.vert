#version 450
// Cel shading: the hull is drawn twice, once blown up along the normals for the outline.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tint;

layout(location = 0) out vec3 v_normal;
layout(location = 1) out vec3 v_tint;
layout(location = 2) flat out int v_outline;

layout(set = 0, binding = 0) uniform Pass {
    mat4 model_view;
    mat4 projection;
    float thickness;
} pass;

void main() {
    bool outline = gl_InstanceIndex == 1;
    vec4 seen = pass.model_view * vec4(position, 1.0);
    vec3 n = mat3(pass.model_view) * normal;
    if (outline) {
        float grow = pass.thickness * clamp(-seen.z, 0.5, 20.0);
        seen.xyz += normalize(n) * grow;
    }
    v_normal = n;
    v_tint = outline ? vec3(0.0) : tint;
    v_outline = int(outline);
    gl_Position = pass.projection * seen;
}
