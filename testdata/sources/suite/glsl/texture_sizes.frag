#version 450
// The sizes of textures of several dimensions.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D flat_one;
layout(set = 0, binding = 1) uniform sampler3D deep;
layout(set = 0, binding = 2) uniform samplerCube cube;
layout(set = 0, binding = 3) uniform sampler2DArray layers;

void main() {
    vec2 one = vec2(textureSize(flat_one, 0) + textureSize(flat_one, 1));
    vec3 two = vec3(textureSize(deep, 0)), three = vec3(textureSize(layers, 0));
    vec2 four = vec2(textureSize(cube, 0));
    colour = texture(flat_one, uv) + vec4(one * 0.015625, two.z * 0.125, three.z * 0.125) + four.xyxy * 0.03125;
}
