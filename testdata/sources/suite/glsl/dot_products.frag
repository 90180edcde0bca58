#version 450
// Dot products of vectors of each width.
layout(location = 0) in vec4 a;
layout(location = 1) in vec4 b;
layout(location = 0) out vec4 colour;

void main() {
    colour = vec4(dot(a.xy, b.zw), dot(a.xyz, b.wyx), dot(a, b), dot(a.x, b.y));
}
