#version 450
// A cube texture by a direction.
layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform samplerCube sky;

void main() {
    vec3 d = abs(direction) + vec3(0.25, 0.0, 0.0);
    colour = texture(sky, d) * 0.5 + textureLod(sky, -d.zxy, 1.0) * 0.25 + textureGather(sky, d.yzx, 2) * 0.25;
}
