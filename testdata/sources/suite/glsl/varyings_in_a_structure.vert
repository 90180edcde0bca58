#version 450
// A structure and an array of structures as outputs.
struct Light { vec3 direction; float power; };
layout(location = 0) in vec4 a;
layout(location = 0) out Light one;
layout(location = 2) out Light two[2];

void main() {
    gl_Position = vec4(a.xy, 0.25, 1.0);
    one = Light(a.xyz, a.w);
    for (int i = 0; i < 2; i++) two[i] = Light(a.yzw * float(i + 1), one.power * 0.5);
}
