#version 450
// The formats of storage images with floats and normalised numbers.
layout(local_size_x = 4, local_size_y = 4) in;
layout(r32f, set = 0, binding = 0) readonly uniform image2D one;
layout(rgba16f, set = 0, binding = 1) readonly uniform image2D four;
layout(rgba32f, set = 0, binding = 2) writeonly uniform image2D whole;
layout(rgba8_snorm, set = 0, binding = 3) writeonly uniform image2D small;
layout(rg32f, set = 0, binding = 4) writeonly uniform image2D two;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) & 3;
    vec4 sum = imageLoad(four, at) + imageLoad(one, at.yx).x;
    imageStore(whole, at, sum * 2.0);
    imageStore(small, at, clamp(sum, -1.0, 1.0));
    imageStore(two, at, sum.zwxy);
}
