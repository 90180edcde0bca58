#version 450
// One component of the four texels that a linear filter would read.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    vec4 sum = textureGather(picture, uv) + textureGather(picture, uv, 3) * 0.5;
    colour = sum + textureGatherOffset(picture, uv, ivec2(1, -2), 1) * 0.25;
}
