#version 450
// The remainder of non-negative ints, and of large ones that a float cannot hold.
layout(location = 0) flat in ivec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Divisors { ivec4 divisors; };

void main() {
    ivec4 x = (a & 0xffff) + 123456789;
    ivec4 y = (divisors & 31) + 7;
    colour = vec4(x % y) + vec4((x + 1) % 10) * 0.1;
}
