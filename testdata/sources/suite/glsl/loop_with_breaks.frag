#version 450
// A loop with two breaks; the variables differ at each exit.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float sum = 0.0;
    int at = 0;
    for (; at < 10; at++) {
        sum += abs(a.x) + 0.1;
        if (sum > 2.0) break;
        sum *= 1.25;
        if (a.y > 0.5 && at > 3) {
            sum = -sum;
            break;
        }
    }
    colour = vec4(sum * 0.25, float(at) * 0.1, a.zw);
}
