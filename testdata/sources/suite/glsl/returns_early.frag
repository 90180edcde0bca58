#version 450
// Returns from the middle of the entry point and of a function.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

float grade(float x) {
    if (x < 0.25) return 0.0;
    if (x < 0.5) {
        x *= 2.0;
        return x;
    }
    return 1.0 + x;
}

void main() {
    colour = vec4(grade(a.x), grade(a.y), grade(a.z), 0.5);
    if (a.w > 0.75) return;
    colour.a = grade(a.w) * 0.25;
}
