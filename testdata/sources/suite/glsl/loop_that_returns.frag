#version 450
// A function that returns from inside two loops.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

vec2 first_above(float limit) {
    for (int i = 0; i < 4; i++) {
        float power = a[i];
        for (int k = 0; k < 3; k++) {
            if (power > limit) return vec2(power, float(i * 4 + k));
            power *= 1.5;
        }
    }
    return vec2(-1.0);
}

void main() {
    colour = vec4(first_above(0.75), first_above(2.0)) * 0.125;
}
