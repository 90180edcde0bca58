#version 450
// Storage textures whose texels are numbers from 0 to 1 or from -1 to 1 in bytes, read and written.
layout(local_size_x = 4, local_size_y = 4) in;
layout(rgba8, set = 0, binding = 0) readonly uniform image2D one;
layout(rgba8_snorm, set = 0, binding = 1) readonly uniform image2D two;
layout(rgba8, set = 0, binding = 2) writeonly uniform image2D sums;
layout(rgba8_snorm, set = 0, binding = 3) writeonly uniform image2D differences;
layout(rgba16f, set = 0, binding = 4) writeonly uniform image2D halfs;
layout(r32f, set = 0, binding = 5) writeonly uniform image2D single;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    vec4 a = imageLoad(one, at);
    vec4 b = imageLoad(two, at.yx);
    imageStore(sums, at, a + b * 0.5);
    imageStore(differences, at, a - 2.0 * b);
    imageStore(halfs, at, a * b);
    imageStore(single, at, vec4(dot(a, b)));
}
