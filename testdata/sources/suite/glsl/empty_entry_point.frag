#version 450
// Outputs without a value on some paths are not read; this one is written on all.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void nothing() {}

void main() {
    nothing();
    { vec4 a = a * 0.5; colour = a; }
    if (true) { colour += 0.125; } else { discard; }
    while (false) { colour = vec4(0.0); }
}
