#version 450
// any, all and not of vectors of bools.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Limits { vec4 low; vec4 high; };

void main() {
    bvec4 above = greaterThan(a, low), below = lessThan(a, high);
    float inside = all(above) && all(below) ? 1.0 : 0.0;
    float touching = any(above) || any(below.xy) ? 0.5 : 0.25;
    colour = vec4(inside, touching, vec2(not(above.zw)));
}
