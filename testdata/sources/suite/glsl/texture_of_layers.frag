#version 450
// An array texture; the layer is rounded to the nearest integer.
layout(location = 0) in vec2 uv;
layout(location = 1) flat in float layer;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2DArray pages;

void main() {
    float page = floor(clamp(layer, 0.0, 1.0) * 2.0) + 0.25;
    vec4 sum = texture(pages, vec3(uv, page)) + textureLod(pages, vec3(uv.yx, 1.75), 0.0) * 0.5;
    colour = sum + texelFetch(pages, ivec3(1, 2, 1), 0) * 0.25 + textureGather(pages, vec3(uv, 0.0), 1) * 0.125;
}
