#version 450
// Arrays of matrices; the columns of a mat2 are 16 bytes apart.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Bones {
    mat4 bones[3];
    mat2 turns[2];
    mat3x2 flats[2];
};

void main() {
    vec4 p = bones[k & 1] * a + bones[2][k & 3];
    p.xy += turns[k & 1] * a.zw;
    p.zw += flats[1] * a.xyz + flats[k & 1][2];
    colour = p * 0.125;
}
