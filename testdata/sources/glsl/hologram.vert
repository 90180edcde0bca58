#version 450
// Hologram: a model that jumps sideways in slices when the projector fails.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

layout(location = 0) out vec3 to_eye;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out float height;

layout(set = 0, binding = 0) uniform Projector {
    mat4 model;
    mat4 clip;
    vec3 eye;
    float time;
    float failure;
} projector;

float step_noise(float x) {
    return fract(sin(floor(x) * 91.345) * 4758.545);
}

void main() {
    vec4 world = projector.model * vec4(position, 1.0);
    float slice = step_noise(world.y * 8.0 + floor(projector.time * 12.0));
    if (slice > 1.0 - projector.failure) {
        world.x += (slice - 0.5) * 0.3;
        world.z += step_noise(projector.time * 20.0) * 0.1 - 0.05;
    }
    to_eye = projector.eye - world.xyz;
    out_normal = mat3(projector.model) * normal;
    height = world.y;
    gl_Position = projector.clip * world;
}
