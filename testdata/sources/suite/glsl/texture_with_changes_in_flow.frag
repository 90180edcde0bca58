#version 450
// A sample after a conditional that changes the coordinate, and one inside a function.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(set = 0, binding = 0) uniform sampler2D picture;
layout(set = 0, binding = 1) uniform Mode { int mode; };

vec4 at(vec2 p) { return texture(picture, p * 0.5); }

void main() {
    vec2 p = uv;
    if ((mode & 1) == 1) p = p.yx;
    vec4 sum = at(p);
    for (int i = 0; i < 2; i++) sum += at(p + vec2(float(i) * 0.25, 0.0));
    colour = sum * 0.25;
}
