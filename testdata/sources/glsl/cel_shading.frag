#version 450
// Cel shading: the light falls into steps, each of which adds to the darker ones by falling through.
layout(location = 0) in vec3 v_normal;
layout(location = 1) in vec3 v_tint;
layout(location = 2) flat in int v_outline;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 1) uniform Light {
    vec3 direction;
    int steps;
} light;

float shade(int level) {
    float sum = 0.0;
    switch (level) {
        case 3:
            sum += 0.4;
        case 2:
            sum += 0.25;
            if (light.steps < 3)
                break;
        case 1:
            sum += 0.15;
            break;
        default:
            sum = 0.05;
        case 0:
            sum += 0.1;
    }
    return sum + 0.2;
}

void main() {
    if (v_outline != 0) {
        if (gl_FrontFacing)
            discard;
        color = vec4(v_tint, 1.0);
        return;
    }
    float lambert = dot(normalize(v_normal), -light.direction);
    int level = int(ceil(lambert * float(light.steps)));
    color = vec4(v_tint * shade(level), 1.0);
}
