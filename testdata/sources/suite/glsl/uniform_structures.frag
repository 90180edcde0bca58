#version 450
// Structures in a block, nested and in arrays, read whole and by members.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
struct Falloff { float near; float far; };
struct Light { vec3 direction; Falloff falloff; vec4 tint; };
layout(set = 0, binding = 0) uniform Lights { Light lights[3]; Light sun; int count; };

vec4 lit(Light light, vec3 normal) {
    float reach = clamp(light.falloff.near + light.falloff.far, 0.0, 2.0);
    return light.tint * max(dot(light.direction, normal), 0.0) * reach;
}

void main() {
    vec4 sum = lit(sun, a.xyz);
    int most = min(count & 3, 3);
    for (int i = 0; i < most; i++) sum += lit(lights[i], a.yzw);
    Light one = lights[k & 1];
    colour = sum * 0.25 + one.tint * one.falloff.far;
}
