#version 450
// mod takes the sign of the divisor.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform Periods {
    vec3 periods;
    float period;
};

void main() {
    vec3 each = mod(a.xyz + 0.3, abs(periods) + 0.75);
    float one = mod(-a.w - 0.1, abs(period) + 1.5);
    colour = vec4(each, one);
}
