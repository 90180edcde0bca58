#version 450
// A combined image sampler at an implicit level, with and without a bias.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    colour = texture(picture, uv) * 0.75 + texture(picture, uv.yx, 0.5) * 0.25;
}
