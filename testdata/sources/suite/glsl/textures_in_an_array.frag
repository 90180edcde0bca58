#version 450
// An array of textures at constant indices.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D pictures[3];
layout(set = 0, binding = 3) uniform texture2D plain[2];
layout(set = 0, binding = 5) uniform sampler filtered;

void main() {
    vec4 sum = texture(pictures[0], uv) + texture(pictures[2], uv.yx) * 0.5;
    colour = sum + texture(sampler2D(plain[1], filtered), uv * 0.5) * 0.25;
}
