#version 450
// length, distance, cross and normalize; the vectors are not zero.
layout(location = 0) in vec4 a;
layout(location = 1) in vec3 b;
layout(location = 0) out vec4 colour;

void main() {
    vec3 direction = normalize(abs(b) + 0.25);
    vec3 upright = cross(a.xyz, direction);
    float sum = length(a) + length(a.x) + distance(a.xyz, b) + distance(a.w, b.x);
    colour = vec4(upright + normalize(abs(a.yzw) + 0.5), sum * 0.25);
}
