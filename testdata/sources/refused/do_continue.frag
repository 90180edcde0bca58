#version 450
layout(location = 0) out vec4 colour;

void main() {
    int n = 3;
    do {
        if (n == 2)
            continue; //~ SDLSHADERBC has no operation for a `continue` in a `do` loop, which naga reads without the loop's condition; write a `while` loop
        n -= 2;
    } while (--n > 0);
    colour = vec4(float(n));
}
