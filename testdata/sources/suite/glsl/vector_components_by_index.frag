#version 450
// Components of vectors at computed indices, read and written.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    vec4 c = a;
    vec3 d = a.xyz;
    c[k & 3] = 0.75;
    d[(k & 1) + 1] += c[(k + 1) & 3];
    c[2] += d[k & 1];
    colour = c + vec4(d, (a * 2.0)[k & 3]);
}
