#version 450
// Storage textures of each format of ints, read and written as the other kind of access in the files beside this one.
layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba16i, set = 0, binding = 0) readonly uniform iimage2D shorts;
layout(rg32i, set = 0, binding = 1) readonly uniform iimage2D two;
layout(rgba32i, set = 0, binding = 2) readonly uniform iimage2D four;
layout(rgba16ui, set = 0, binding = 3) readonly uniform uimage2D unsigned_shorts;
layout(rg32ui, set = 0, binding = 4) readonly uniform uimage2D unsigned_two;
layout(rgba32ui, set = 0, binding = 5) readonly uniform uimage2D unsigned_four;
layout(rg32f, set = 0, binding = 6) readonly uniform image2D floats;
layout(rgba32f, set = 0, binding = 7) readonly uniform image2D four_floats;
layout(r32i, set = 0, binding = 8) writeonly uniform iimage2D one;
layout(rgba8i, set = 0, binding = 9) writeonly uniform iimage2D bytes;
layout(r32ui, set = 0, binding = 10) writeonly uniform uimage2D unsigned_one;
layout(rgba8ui, set = 0, binding = 11) writeonly uniform uimage2D unsigned_bytes;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec4 n = imageLoad(shorts, at) + imageLoad(two, at) - imageLoad(four, at.yx);
    uvec4 u = imageLoad(unsigned_shorts, at) * imageLoad(unsigned_two, at) + imageLoad(unsigned_four, at.yx);
    vec4 f = imageLoad(floats, at) + imageLoad(four_floats, at);
    imageStore(one, at, n.wzyx + ivec4(f * 8.0));
    imageStore(bytes, at, n);
    imageStore(unsigned_one, at, u + uvec4(f * 4.0));
    imageStore(unsigned_bytes, at, u);
}
