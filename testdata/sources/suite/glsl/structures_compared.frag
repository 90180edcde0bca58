#version 450
// Equality of structures, arrays and matrices.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
struct Pair { float x; ivec2 y; };
layout(set = 0, binding = 0) uniform Matrix { mat2 m; };

void main() {
    Pair one = Pair(floor(a.x * 2.0), ivec2(clamp(a.yz, 0.0, 8.0) * 2.0));
    Pair two = Pair(1.0, ivec2(1, 0));
    float list[3] = float[3](floor(a.x), floor(a.y), 0.0);
    float other[3] = float[3](0.0, 0.0, floor(a.z));
    colour = vec4(one == two, one != two, list == other, m == mat2(1.0));
}
