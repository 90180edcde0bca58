#version 450
// A structure and a matrix as inputs.
struct Basis { vec3 normal; vec3 tangent; };
layout(location = 0) in vec4 a;
layout(location = 1) in Basis basis;
layout(location = 3) in mat2 turn;
layout(location = 0) out vec4 colour;

void main() {
    vec3 upright = cross(basis.normal, basis.tangent);
    colour = vec4(upright, 1.0) + vec4(turn * a.xy, a.zw);
}
