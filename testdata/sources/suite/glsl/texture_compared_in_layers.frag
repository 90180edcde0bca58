#version 450
// Comparisons in array and cube textures.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2DArrayShadow cascades;
layout(set = 0, binding = 1) uniform samplerCubeShadow lamp;

void main() {
    float one = texture(cascades, vec4(a.xy, 1.0, 0.4375));
    float two = texture(lamp, vec4(abs(a.xyz) + vec3(0.0, 0.0, 0.5), 0.3125));
    colour = vec4(one, two, one * two, 1.0) + textureGather(cascades, vec3(a.xy, 0.0), 0.5) * 0.25;
}
