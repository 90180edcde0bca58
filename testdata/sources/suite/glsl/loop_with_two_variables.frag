#version 450
// A loop whose variables exchange their values in each iteration.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 old = a.xy, young = a.zw;
    for (int i = 0, k = 7; i < k; i++, k--) {
        vec2 next = old * 0.5 + young * float(k) * 0.125;
        old = young;
        young = next;
    }
    colour = vec4(old, young);
}
