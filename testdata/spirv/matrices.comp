#version 450
// Matrices by rows and by columns, and matrices of two rows with a distance of 16 bytes between columns.
layout(local_size_x = 4) in;
layout(std140, binding = 0) uniform Given { layout(row_major) mat3x4 rows; mat2 small[2]; layout(row_major) mat4 all[2]; } given;
layout(std430, binding = 1) buffer Results { layout(row_major) mat4 turned; mat2 packed; vec4 rest[]; } results;
void main() {
    uint i = gl_GlobalInvocationID.x;
    results.turned = given.all[i & 1u];
    results.turned[1].z = given.rows[i % 3u].y;
    results.packed = given.small[1];
    results.rest[i] = vec4(given.small[i & 1u][0], float(results.rest.length()), 1.0);
}
