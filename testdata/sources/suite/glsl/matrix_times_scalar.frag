#version 450
// Products of matrices and scalars, and assignments that scale.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Matrices {
    mat3 m;
    float s;
};

void main() {
    mat3 twice = m * 2.0;
    mat3 other = s * m;
    twice *= 0.75 + a.w;
    other /= 4.0;
    colour = vec4((twice - other) * a.xyz, a.w);
}
