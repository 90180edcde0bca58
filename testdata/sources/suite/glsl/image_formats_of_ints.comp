#version 450
// The formats of storage images with ints.
layout(local_size_x = 4, local_size_y = 4) in;
layout(r32i, set = 0, binding = 0) readonly uniform iimage2D one;
layout(rgba8i, set = 0, binding = 1) readonly uniform iimage2D small;
layout(rgba16i, set = 0, binding = 2) writeonly uniform iimage2D middle;
layout(rgba32i, set = 0, binding = 3) writeonly uniform iimage2D whole;
layout(rg32i, set = 0, binding = 4) writeonly uniform iimage2D two;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) & 3;
    ivec4 sum = (imageLoad(small, at) + imageLoad(one, at.yx).x) & 1023;
    imageStore(middle, at, sum - 100);
    imageStore(whole, at, sum * 3);
    imageStore(two, at, sum.zwxy);
}
