#version 450
// A default between cases, into which a case falls and which falls on.
layout(location = 0) in vec4 a;
layout(location = 1) flat in uint k;
layout(location = 0) out vec4 colour;

void main() {
    float sum = a.x;
    switch (k & 7u) {
    case 1u: sum += 1.0;
    default: sum *= 0.5;
    case 3u: sum += 0.25; break;
    case 6u: sum = -sum;
    }
    colour = vec4(sum, a.yzw);
}
