#version 450
// The position of a fragment in its point.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 from_centre = gl_PointCoord - 0.5;
    colour = a * (1.0 - dot(from_centre, from_centre));
}
