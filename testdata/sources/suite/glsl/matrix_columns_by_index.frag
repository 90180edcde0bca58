#version 450
// Columns and components of matrices at computed indices, read and written.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrix { mat4x3 given; };

void main() {
    mat4x3 m = given;
    m[k & 3] = a.xyz;
    m[1][k & 1] = 0.5;
    m[(k + 1) & 3].z += a.w;
    float one = given[k & 3][(k & 1) + 1];
    colour = vec4(m * a, one) + vec4(m[k & 1], 0.0);
}
