#version 450
// Parameters that are copied in, out, or both, of variables and of parts of them.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void split(in vec4 whole, out vec2 first, out vec2 second) {
    first = whole.xy;
    second = whole.zw * 0.5;
}
void grow(inout float x, const float by) {
    x += by;
}

void main() {
    vec2 first, second;
    split(a, first, second);
    vec4 sum = vec4(first, second);
    float list[2] = float[2](0.25, 0.5);
    grow(sum.y, first.x);
    grow(list[1], second.y);
    split(sum, second, sum.zw);
    colour = sum + vec4(list[0], list[1], second);
}
