#version 450
// The body reads and writes no variable of its own: naga calls it from the entry point, and both are named `main`.

layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Flags { uint flags[]; };

void main() {
    flags[0] = 7u;
}
