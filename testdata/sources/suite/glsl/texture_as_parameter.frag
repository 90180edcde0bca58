#version 450
// Functions with textures as parameters.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D one;
layout(set = 0, binding = 1) uniform sampler2D two;
layout(set = 0, binding = 2) uniform texture2D plain;
layout(set = 0, binding = 3) uniform sampler filtered;

vec4 blurred(sampler2D picture, vec2 at) {
    return (textureLod(picture, at, 0.0) + textureLod(picture, at + 0.125, 0.0)) * 0.5;
}
vec4 apart(texture2D picture, sampler how, vec2 at) { return textureLod(sampler2D(picture, how), at, 0.0); }

void main() {
    colour = blurred(one, uv) + blurred(two, uv.yx) * 0.5 + apart(plain, filtered, uv) * 0.25;
}
