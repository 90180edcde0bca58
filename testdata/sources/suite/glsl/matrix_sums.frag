#version 450
// Sums, differences, quotients and products by components of two matrices.
layout(location = 0) in vec3 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat3 one;
    mat3 two;
};

void main() {
    mat3 sum = one + two;
    mat3 difference = one - two + 0.5;
    mat3 product = matrixCompMult(sum, difference);
    mat3 square = mat3(abs(two[0]), abs(two[1]), abs(two[2])) + 1.0;
    colour = vec4((product / square) * a, sum[1][2]);
}
