#version 450
// Inputs of several types that share a location and are not interpolated.
layout(location = 0) flat in float power;
layout(location = 0, component = 1) flat in uvec2 masks;
layout(location = 0, component = 3) flat in int kind;
layout(location = 0) out vec4 colour;
void main() { colour = vec4(power, vec2(masks), float(kind)); }
