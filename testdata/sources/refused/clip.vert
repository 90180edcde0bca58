#version 450
layout(location = 0) in vec4 corner;
out float gl_ClipDistance[2]; //~ SDLSHADERBC has no operation for `gl_ClipDistance`, which naga reads as varyings; WGSL and SPIR-V have clip distances

void main() {
    gl_Position = corner;
    gl_ClipDistance[0] = corner.x;
    gl_ClipDistance[1] = corner.y + corner.z;
}
