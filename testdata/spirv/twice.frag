#version 450
layout(location = 0) out vec4 colour;

void main() {
    int next = 0;
    float parts[3];
    parts[0] = 0.25;
    parts[1] = 0.5;
    parts[next++] += 0.5;
    colour = vec4(parts[0], parts[1], float(next), 1.0);
}
