#version 450

// Mirrors a picture, and darkens its border.

layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0, rgba8) uniform readonly image2D picture;
layout(set = 0, binding = 1, rgba32f) uniform writeonly image2D mirrored;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    ivec2 size = imageSize(picture);
    if (at.x >= size.x || at.y >= size.y) {
        return;
    }
    vec4 colour = imageLoad(picture, ivec2(size.x - 1 - at.x, at.y));
    bool is_border = at.x == 0 || at.y == 0 || at.x == size.x - 1 || at.y == size.y - 1;
    imageStore(mirrored, at, is_border ? colour * 0.5 : colour);
}
