#version 450
layout(location = 0) out vec4 colour;

void main() {
    int n = 3;
    do {
        if (n == 2)
            continue;
        n -= 2;
    } while (--n > 0);
    colour = vec4(float(n));
}
