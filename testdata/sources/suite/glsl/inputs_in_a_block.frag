#version 450
// Inputs in a block and in an array; the locations follow from the block's.
layout(location = 1) in Surface {
    vec3 normal;
    vec2 uv[2];
    flat int kind;
} surface;
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 uv = surface.uv[0] + surface.uv[1] * 0.5;
    colour = vec4(surface.normal, 1.0) * a + vec4(uv, float(surface.kind & 3), 0.0);
}
