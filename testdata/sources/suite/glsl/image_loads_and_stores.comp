#version 450
// One storage image is read, another is written.
layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba8, set = 0, binding = 0) readonly uniform image2D source;
layout(rgba8, set = 0, binding = 1) writeonly uniform image2D target;

void main() {
    ivec2 size = imageSize(source), at = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThanEqual(at, imageSize(target)))) return;
    vec4 texel = imageLoad(source, clamp(size - 1 - at, ivec2(0), size - 1));
    imageStore(target, at, texel.bgra * 0.5);
}
