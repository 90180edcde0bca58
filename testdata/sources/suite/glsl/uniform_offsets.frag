#version 450
// Members at stated offsets and alignments, with gaps between them.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(std140, set = 0, binding = 0) uniform Sparse {
    layout(offset = 16) vec2 one;
    layout(offset = 48) float two;
    layout(align = 32) vec4 three;
    layout(offset = 112) vec3 four;
} sparse;

void main() {
    colour = vec4(sparse.one * sparse.two, 0.0, 1.0) * a + sparse.three + vec4(sparse.four, 0.0);
}
