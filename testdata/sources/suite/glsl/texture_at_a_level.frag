#version 450
// A level that is stated, also in a loop and under a condition.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;

void main() {
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 3; i++) sum += textureLod(picture, uv * (float(i) * 0.25 + 0.5), float(i) * 0.5);
    if (uv.x > 0.5) sum += textureLod(picture, uv.yx, 0.0);
    colour = sum * 0.25;
}
