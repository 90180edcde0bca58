#version 450
// Depths that are compared with a reference.
layout(location = 0) in vec3 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2DShadow shadow;

void main() {
    float one = texture(shadow, vec3(a.xy, 0.375)), two = textureLod(shadow, vec3(a.yx, a.z), 0.0);
    float three = textureOffset(shadow, vec3(a.xy, 0.625), ivec2(1, 0));
    colour = vec4(one, two, three, 1.0) * 0.5 + textureGather(shadow, a.xy, 0.4375) * 0.25;
}
