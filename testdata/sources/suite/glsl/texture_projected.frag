#version 450
// Coordinates that are divided by their last component.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    vec4 p = vec4(a.xyz, abs(a.w) + 1.0);
    vec4 sum = textureProj(picture, p.xyw) + textureProj(picture, p, 0.25) + textureProjOffset(picture, p, ivec2(1));
    sum += textureProjLod(picture, p.yxw, 0.5) + textureProjLodOffset(picture, p, 1.0, ivec2(0, 2));
    sum += textureProjGrad(picture, p, vec2(0.01, 0.0), vec2(0.0, 0.01));
    colour = sum * 0.25;
}
