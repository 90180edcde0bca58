#version 450
// Starfield: stars without buffers; an integer hash of the instance is the place, the size and the colour.
layout(location = 0) out vec2 corner;
layout(location = 1) flat out uint kind;
layout(location = 2) out vec3 tint;

layout(set = 0, binding = 0) uniform Flight {
    mat4 projection;
    float travelled;
    float depth;
    float size;
} flight;

uint state;

uint next() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

float unit() {
    return float(next() >> 8) / 16777216.0;
}

void main() {
    state = uint(gl_InstanceIndex) * 2654435761u + 12345u;
    vec3 p;
    p.x = unit() * 2.0 - 1.0;
    p.y = unit() * 2.0 - 1.0;
    p.z = mod(unit() * flight.depth + flight.travelled, flight.depth);
    kind = next() % 5u;
    tint = mix(vec3(1.0, 0.7, 0.5), vec3(0.6, 0.8, 1.0), unit()) * (p.z / flight.depth);
    corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0 - 1.0;
    vec3 place = vec3(p.xy * flight.depth, p.z - flight.depth);
    place.xy += corner * flight.size * (kind == 0u ? 3.0 : 1.0);
    gl_Position = flight.projection * vec4(place, 1.0);
}
