#version 450
// A block with a member of each type; the offsets are those of std140.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(std140, set = 1, binding = 2) uniform Settings {
    float one;
    vec2 two;
    vec3 three;
    vec4 four;
    int count;
    ivec2 pair;
    uint bits;
    uvec3 triple;
    mat3 turn;
} settings;

void main() {
    vec3 v = settings.turn * a.xyz + settings.three;
    v.xy += settings.two * settings.one;
    ivec2 pair = settings.pair & settings.count & 15;
    uvec3 triple = settings.triple & settings.bits & 15u;
    colour = vec4(v, 0.5) * settings.four + vec4(pair, 0, 0) * 0.1 + vec4(triple, 0) * 0.05;
}
