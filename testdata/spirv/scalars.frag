#version 450
// Functions of scalars that SDLSHADERBC has only for vectors, and half floats in the bits of a uint.
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 colour;

void main() {
    float mirrored = reflect(v.x, v.y);
    float bent = refract(v.x, v.y, 0.75);
    float turned = faceforward(v.x, v.y, v.z);
    vec2 halfs = unpackHalf2x16(packHalf2x16(v.zw * 3.3));
    colour = vec4(mirrored + bent, turned, halfs);
}
