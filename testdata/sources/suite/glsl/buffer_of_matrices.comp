#version 450
// Matrices by columns, at computed indices.
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Matrices { mat4 fours[4]; mat3x2 smalls[4]; };
layout(std140, set = 0, binding = 1) buffer Wide { mat2 twos[4]; };

void main() {
    uint i = gl_LocalInvocationIndex;
    fours[i][2] = fours[i] * vec4(1.0, 0.5, 0.25, 0.0);
    smalls[i][1].y = twos[i][0].x;
    twos[i] = transpose(twos[i]) * 0.5;
}
