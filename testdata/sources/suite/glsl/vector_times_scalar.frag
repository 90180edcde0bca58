#version 450
// Products and quotients of a vector and a scalar, in both orders.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Scale { float scale; };

void main() {
    vec2 two = scale * a.xy;
    vec3 three = a.xyz * scale;
    vec4 four = a * (scale / (1.0 + abs(a.w)));
    colour = four + vec4(two, 0.0, 0.0) - vec4(0.0, three);
}
