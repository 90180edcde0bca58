#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform texture2D picture;
layout(set = 0, binding = 1) uniform sampler near;

void main() {
    colour = texelFetchOffset(sampler2D(picture, near), ivec2(uv), 0, ivec2(1, 1));
}
