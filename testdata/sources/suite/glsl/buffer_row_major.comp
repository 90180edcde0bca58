#version 450
// Matrices that are stored by rows are read, and written whole, by columns and by components.
layout(local_size_x = 2) in;
layout(std430, row_major, set = 0, binding = 0) buffer Matrices { mat4 whole; mat2x3 tall[2]; mat3 third; };

void main() {
    uint i = gl_GlobalInvocationID.x & 1u;
    mat2x3 own = tall[i];
    tall[i] = mat2x3(own[1], own[0] * 2.0);
    if (i == 0u) {
        third[1] = whole[2].xyz;
        third[2].x = whole[0][3];
        whole[3] = vec4(0.5, 0.25, whole[1].xy);
    }
}
