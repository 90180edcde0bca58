#version 450
layout(location = 0) out vec4 colour;

void main() {
    int next = 0;
    float parts[3];
    parts[0] = 0.25;
    parts[1] = 0.5;
    parts[next++] += 0.5; //~ SDLSHADERBC has no operation for a side effect in the target of a compound assignment, which naga executes twice; compute the index beforehand
    colour = vec4(parts[0], parts[1], float(next), 1.0);
}
