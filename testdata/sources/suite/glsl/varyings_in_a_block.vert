#version 450
// Outputs in a block, of which one is an array and one a matrix.
layout(location = 0) in vec4 a;
layout(location = 2) out Surface {
    vec3 normal;
    vec2 uv[2];
    mat2 turn;
    flat int kind;
} surface;

void main() {
    gl_Position = vec4(a.xyz * 0.5, 1.0);
    surface.normal = a.zxy;
    surface.uv[0] = a.xy;
    surface.uv[1] = surface.uv[0] * 0.5 + a.zw;
    surface.turn = mat2(a.x, 0.5, a.y, 0.25);
    surface.turn[1] += a.zw;
    surface.kind = int(clamp(a.w, 0.0, 3.0));
}
