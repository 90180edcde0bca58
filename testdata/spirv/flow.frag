#version 450
// Loops with continue, break and return, a switch with a case that falls through, and a break of the loop from inside a switch.
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 colour;
float found(vec4 a) {
    for (int i = 0; i < 4; i++) {
        if (a[i] < 0.0) continue;
        switch (i) {
        case 0: a.y += 1.0;
        case 1: a.z += a.y; break;
        case 3: return a.w;
        default: if (a.z > 8.0) return a.z; break;
        }
        if (a.y > 4.0) break;
    }
    return a.x;
}
void main() {
    if (v.w < 0.0) discard;
    float sum = 0.0;
    int i = 0;
    do {
        sum += found(v * sum);
        if (sum > 100.0) { colour = vec4(sum); return; }
        i++;
    } while (i < 3 && sum < v.y);
    colour = vec4(sum, float(i), v.xy);
}
