#version 450
// round, roundEven, trunc, floor, ceil and fract. Halves are avoided where the result is free to differ.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Scale { float scale; };

void main() {
    vec4 x = clamp(a * scale, -100.0, 100.0) + 0.03125;
    float even = roundEven(floor(x.x) + 0.5);
    colour = round(floor(x) + 0.25) + trunc(x) * 0.5 + floor(x.wzyx) * 0.25 + ceil(x) * 0.125 + fract(x) + even;
}
