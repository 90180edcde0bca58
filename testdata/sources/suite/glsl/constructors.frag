#version 450
// Vectors and matrices made from scalars, vectors and matrices.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 v = vec4(a.xy, vec2(a.z)) + vec4(vec3(a.w), 1.0) + vec4(mat2(a));
    mat3 scaled = mat3(a.x);
    mat4 padded = mat4(scaled);
    mat2 cut = mat2(mat4(a, a.yzwx, a.zwxy, a.wxyz));
    mat2x3 parts = mat2x3(a, a.xy);
    colour = padded * v + vec4(parts * a.xy, 0.5) + vec4(cut * a.zw, scaled[1].xy);
}
