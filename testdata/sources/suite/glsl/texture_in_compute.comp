#version 450
// A compute shader samples a texture at a stated level, and fetches texels.
layout(local_size_x = 4, local_size_y = 4) in;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(rgba32f, set = 0, binding = 1) writeonly uniform image2D target;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) & 3;
    vec2 uv = (vec2(at) + 0.5) * 0.25;
    vec4 texel = textureLod(picture, uv, 0.0) + textureGather(picture, uv.yx) * 0.5;
    imageStore(target, at, texel + texelFetch(picture, at, 0) * 0.25);
}
