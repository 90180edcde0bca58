#version 450
// A counted loop with a constant bound, and one whose bound is a uniform.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Bounds { int count; };

void main() {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 5; i++) sum += a * float(i);
    int most = min(count & 15, 10);
    for (int i = most; i > 0; i -= 2) sum.xy += a.zw / float(i);
    colour = sum * 0.1;
}
