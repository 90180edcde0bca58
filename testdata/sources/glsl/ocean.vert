#version 450
// Ocean: a grid moved by five sine waves, and the slope of their sum.
layout(location = 0) in vec2 grid;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 normal;
layout(location = 2) out float crest;

layout(set = 0, binding = 0) uniform Ocean {
    mat4 view_projection;
    vec4 waves[5];
    vec3 eye;
    float time;
} ocean;

void wave(vec4 w, vec2 p, out float height, out vec2 slope) {
    float phase = dot(w.xy, p) + ocean.time * w.z;
    height = w.w * sin(phase);
    slope = w.xy * w.w * cos(phase);
}

void main() {
    float sum = 0.0;
    vec2 gradient = vec2(0.0);
    int i = 0;
    while (i < 5) {
        float h;
        vec2 s;
        wave(ocean.waves[i], grid, h, s);
        sum += h;
        gradient += s;
        i++;
    }
    world = vec3(grid.x, sum, grid.y);
    normal = normalize(vec3(-gradient.x, 1.0, -gradient.y));
    crest = smoothstep(0.6, 1.4, sum);
    gl_Position = ocean.view_projection * vec4(world, 1.0);
}
