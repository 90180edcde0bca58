#version 450
// A loop inside a loop; the inner one is left by the outer one's variable.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    float sum = 0.0;
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 6; x++) {
            if (x > y + 2) break;
            if (((x + y) & 1) == 0) continue;
            sum += a[y] * float(x + 1);
        }
        if (sum > 30.0) break;
    }
    colour = vec4(sum * 0.05, a.yzw);
}
