#version 450
// Flag: cloth that waves more away from the pole, with its normal from two nearby points.
layout(location = 0) in vec2 cloth;
layout(location = 0) out vec2 uv;
layout(location = 1) out vec3 normal;

layout(set = 0, binding = 0) uniform Flag {
    mat4 mvp;
    float time;
    float wind;
    float slack;
} flag;

vec3 shape(vec2 c) {
    float free = c.x * c.x;
    float sum = 0.0;
    float frequency = 3.0;
    float size = 0.2;
    do {
        sum += size * sin(frequency * c.x - flag.time * flag.wind + c.y * 1.5);
        frequency *= 1.9;
        size *= 0.4;
    } while (size > 0.01);
    return vec3(c.x * (1.0 - flag.slack * 0.1), c.y - free * flag.slack, sum * free);
}

void main() {
    const float e = 0.01;
    vec3 p = shape(cloth);
    vec3 right = shape(cloth + vec2(e, 0.0)) - p;
    vec3 up = shape(cloth + vec2(0.0, e)) - p;
    normal = normalize(cross(right, up));
    uv = cloth;
    gl_Position = flag.mvp * vec4(p, 1.0);
}
