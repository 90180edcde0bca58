#version 450
// Storage textures: one is read and the other is written.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform readonly image2D from;
layout(binding = 1, r32f) uniform writeonly image2DArray to;
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(from)))) return;
    vec4 texel = imageLoad(from, at);
    imageStore(to, ivec3(at, 1), vec4(dot(texel.rgb, vec3(0.25, 0.5, 0.25))));
}
