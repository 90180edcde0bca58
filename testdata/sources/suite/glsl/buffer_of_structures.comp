#version 450
// An array of structures with an array and a matrix, read whole and by members.
layout(local_size_x = 4) in;
struct Body { vec3 place; float mass; vec2 trail[2]; mat2 turn; int kind; };
layout(std430, set = 0, binding = 0) buffer Bodies { int count; Body bodies[]; };

void main() {
    uint i = gl_GlobalInvocationID.x & 3u;
    Body own = bodies[i];
    own.trail[1] = own.trail[0];
    own.trail[0] = own.turn * own.place.xy;
    own.kind = (own.kind & 7) + (count & 1);
    bodies[i] = own;
    bodies[i].turn[1] = vec2(own.mass, 0.5);
    bodies[i].place.z += 0.125;
}
