#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// A demotion inside a loop and inside a function.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void test(float x) {
    if (x > 0.8) demote;
}

void main() {
    float sum = 0.0;
    for (int i = 0; i < 4; i++) {
        if (a[i] < 0.05) demote;
        sum += a[i];
    }
    test(sum * 0.3);
    colour = vec4(sum, a.xyz);
}
