#version 450
// A storage buffer that a fragment shader only reads.
layout(location = 0) in vec4 a;
layout(location = 1) flat in int k;
layout(location = 0) out vec4 colour;
struct Lamp { vec3 tint; float power; };
layout(std430, set = 0, binding = 0) readonly buffer Lamps { Lamp lamps[]; };

void main() {
    int at = k & 3;
    colour = vec4(lamps[at].tint * lamps[at].power, 1.0) + a * lamps[0].tint.x;
}
