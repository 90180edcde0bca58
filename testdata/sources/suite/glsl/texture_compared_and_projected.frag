#version 450
// References and coordinates that are divided by the last component before the comparison.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2DShadow shadow;

void main() {
    vec4 p = vec4(a.xyz, abs(a.w) + 1.0);
    float one = textureProj(shadow, p), two = textureProjLod(shadow, p.yxzw, 0.0);
    colour = vec4(one, two, textureProjOffset(shadow, p, ivec2(-1, 1)), a.x);
}
