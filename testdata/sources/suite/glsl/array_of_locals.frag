#version 450
// A local array at constant and at computed indices.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;

void main() {
    vec2 list[4];
    for (int i = 0; i < list.length(); i++) list[i] = a.xy * float(i) + a.zw;
    list[2].y = 0.75;
    list[k & 3] += 1.0;
    list[(k + 1) & 3].x *= 0.5;
    colour = vec4(list[0] + list[1], list[2] + list[3]) * 0.25;
}
