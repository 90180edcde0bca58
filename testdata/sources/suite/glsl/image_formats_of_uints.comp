#version 450
// The formats of storage images with uints.
layout(local_size_x = 4, local_size_y = 4) in;
layout(r32ui, set = 0, binding = 0) readonly uniform uimage2D one;
layout(rgba8ui, set = 0, binding = 1) readonly uniform uimage2D small;
layout(rgba16ui, set = 0, binding = 2) writeonly uniform uimage2D middle;
layout(rgba32ui, set = 0, binding = 3) writeonly uniform uimage2D whole;
layout(rg32ui, set = 0, binding = 4) writeonly uniform uimage2D two;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy) & 3;
    uvec4 sum = (imageLoad(small, at) + imageLoad(one, at.yx).x) & 1023u;
    imageStore(middle, at, sum + 5u);
    imageStore(whole, at, sum ^ 0x55u);
    imageStore(two, at, sum.zwxy);
}
