#version 450
// precise forbids that a sum and a product are contracted or reordered.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    precise vec2 exact = a.xy * a.zw + a.zw;
    precise float sum = (a.x + a.y) + (a.z + a.w);
    colour = vec4(exact, sum, a.x * a.y + a.z);
}
