#version 450
// Arrays of arrays: the order of the dimensions.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    float grid[2][3] = float[2][3](float[3](a.x, 1.0, 2.0), float[3](a.y, 4.0, a.z));
    grid[1][k & 1] += 0.5;
    grid[k & 1] = float[3](grid[0][2], grid[1][0], a.w);
    float sum = 0.0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) sum += grid[i][j] * float(i * 3 + j);
    colour = vec4(sum * 0.05, grid[0][1], grid[1][2], grid[k & 1][0]);
}
