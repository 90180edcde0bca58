#version 450
#extension GL_EXT_samplerless_texture_functions : require
// A sun's shadow from one texture of depths, and tiles from the layers of an array, with their numbers from a texture of uints.
layout(location = 0) in vec4 light_space;
layout(location = 1) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Sun {
    vec3 tint;
    float bias;
} sun;
layout(set = 0, binding = 1) uniform texture2D shadow;
layout(set = 0, binding = 2) uniform samplerShadow compare;
layout(set = 0, binding = 3) uniform texture2DArray tiles;
layout(set = 0, binding = 4) uniform sampler filtered;
layout(set = 0, binding = 5) uniform utexture2D numbers;

void main() {
    float lit = texture(sampler2DShadow(shadow, compare), vec3(light_space.xy * 0.5 + 0.5, light_space.z - sun.bias));
    uvec4 number = texelFetch(numbers, ivec2(clamp(uv, 0.0, 1.0) * 15.0), 0);
    vec4 tile = texture(sampler2DArray(tiles, filtered), vec3(fract(uv * 16.0), float(number.x & 3u)));
    vec4 far = textureLod(sampler2DArray(tiles, filtered), vec3(uv, 1.0), 2.0);
    colour = vec4(mix(tile.rgb, far.rgb, 0.25) * sun.tint * (0.3 + 0.7 * lit), 1.0);
}
