#version 450
// Nested conditionals that assign several variables, some in one arm only.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec3 sum = a.xyz;
    float weight = 1.0;
    if (a.x > 0.5) {
        sum.x += 1.0;
        if (a.y > 0.5) weight = 0.5;
        else sum.yz *= 2.0;
    } else if (a.z < 0.25) {
        sum = sum.zxy;
    }
    colour = vec4(sum * weight, weight);
}
