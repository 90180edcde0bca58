#version 450
// Functions of matrices and vectors.
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 colour;
layout(location = 1) out float single;
void main() {
    mat3 m = mat3(v.xyz, v.yzw, v.zwx);
    mat3 n = inverse(m) * transpose(m) + outerProduct(v.xyz, v.yzw) - m * 2.0;
    int exponent;
    float part = frexp(v.x, exponent);
    vec3 w = mix(n[0], reflect(n[1], normalize(n[2])), greaterThan(v.xyz, vec3(0.5)));
    single = determinant(m) + ldexp(part, exponent + 1);
    colour = vec4(smoothstep(0.0, 1.0, w), isnan(single) || isinf(part) ? 1.0 : atan(v.y, v.x)) * faceforward(v, v.yxwz, v.zwxy);
}
