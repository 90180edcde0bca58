#version 450
// An array of cube textures.
layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform samplerCubeArray skies;

void main() {
    vec3 d = abs(direction) + vec3(0.0, 0.5, 0.0);
    colour = texture(skies, vec4(d, 0.0)) * 0.5 + textureLod(skies, vec4(-d, 1.0), 0.0) * 0.5;
}
