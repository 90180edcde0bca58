#version 450
// Fire: quads that always face the camera, each turned and scaled by its own seed.
layout(location = 0) in vec3 center;
layout(location = 1) in vec4 seed;

layout(location = 0) out vec2 place;
layout(location = 1) out float age;

layout(set = 0, binding = 0) uniform Camera {
    mat4 view;
    mat4 projection;
    float time;
    float lifetime;
} camera;

void turn(inout vec2 p, float angle) {
    float s = sin(angle), c = cos(angle);
    p = vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

void corner_of(int index, out vec2 corner, out vec2 coordinates) {
    corner = vec2((index & 1) == 0 ? -1.0 : 1.0, index < 2 ? -1.0 : 1.0);
    coordinates = corner * 0.5 + 0.5;
}

void main() {
    vec2 corner;
    corner_of(int(gl_VertexIndex) % 4, corner, place);
    age = mod(camera.time + seed.x, camera.lifetime) / camera.lifetime;
    turn(corner, seed.y + age * seed.z);
    corner *= mix(0.3, 1.0, age) * seed.w;
    vec4 seen = camera.view * vec4(center + vec3(0.0, age * 2.0, 0.0), 1.0);
    seen.xy += corner;
    gl_Position = camera.projection * seen;
}
