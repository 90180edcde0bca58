#version 450
// Storage images with layers and with three dimensions, and their sizes.
layout(local_size_x = 2, local_size_y = 2, local_size_z = 2) in;
layout(rgba8, set = 0, binding = 0) readonly uniform image2DArray layers;
layout(rgba8, set = 0, binding = 1) writeonly uniform image3D deep;
layout(std430, set = 0, binding = 2) buffer Sizes { ivec4 sizes[2]; };

void main() {
    ivec3 at = ivec3(gl_GlobalInvocationID) & 1;
    vec4 texel = imageLoad(layers, at.zxy);
    imageStore(deep, at, texel.wzyx);
    if (gl_LocalInvocationIndex == 0u) {
        sizes[0] = ivec4(imageSize(layers), 1);
        sizes[1] = ivec4(imageSize(deep), 2);
    }
}
