#version 450
// The inverses of matrices that are nearly diagonal, so that they exist.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 s = clamp(a, -1.0, 1.0) * 0.125;
    mat2 two = mat2(2.0, s.x, s.y, 1.5);
    mat3 three = mat3(1.5, s.x, s.y, s.z, 2.0, s.w, s.y, s.x, 2.5);
    mat4 four = mat4(2.0, s.xyz, s.w, 2.5, s.zy, s.xy, 3.0, s.z, s.wzy, 1.5);
    vec4 sum = inverse(four) * a;
    sum.xyz += inverse(three) * a.yzw;
    sum.xy += inverse(two) * a.zw;
    colour = sum;
}
