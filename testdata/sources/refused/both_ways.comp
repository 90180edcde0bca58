#version 450

layout(local_size_x = 8) in;

layout(set = 0, binding = 0, rgba8) uniform image2D picture; //~ SDLSHADERBC has no storage textures that are both read and written, such as `picture`

void main() {
    imageStore(picture, ivec2(gl_GlobalInvocationID.xy), imageLoad(picture, ivec2(0)));
}
