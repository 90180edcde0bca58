#version 450
// Matrices that are stored by rows, also in arrays and structures.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
struct Pose { mat3 turn; vec3 place; };
layout(row_major, set = 0, binding = 0) uniform Matrices {
    mat4 whole;
    mat2x3 tall;
    layout(column_major) mat3x2 wide;
    mat2 list[2];
    Pose pose;
};

void main() {
    vec4 p = whole * a + vec4(tall * a.xy, whole[1][2]);
    p.xy += wide * a.xyz + list[k & 1] * a.zw + whole[k & 3].zw;
    p.xyz += pose.turn * pose.place + pose.turn[k & 1];
    colour = p * 0.0625;
}
