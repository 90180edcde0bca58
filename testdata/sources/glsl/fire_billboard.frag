#version 450
// Fire: a flame shape eaten by noise of several octaves, from white to red.
layout(location = 0) in vec2 place;
layout(location = 1) in float age;
layout(location = 0) out vec4 color;

float random(vec2 p) {
    return fract(sin(dot(p, vec2(12.9898, 78.233))) * 43758.5453);
}

float noise(in vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f *= f * (3.0 - 2.0 * f);
    float low = mix(random(i), random(i + vec2(1.0, 0.0)), f.x);
    float high = mix(random(i + vec2(0.0, 1.0)), random(i + vec2(1.0)), f.x);
    return mix(low, high, f.y);
}

void main() {
    float sum = 0.0, weight = 0.5;
    vec2 p = place * 4.0 - vec2(0.0, age * 6.0);
    for (int octave = 0; octave < 4; ++octave) {
        sum += weight * noise(p);
        p *= 2.1;
        weight *= 0.5;
    }
    vec2 d = place - vec2(0.5, 0.4);
    float heat = sum * 1.6 - length(d * vec2(1.6, 1.0)) * 1.8 - age * 0.6;
    if (heat <= 0.0)
        discard;
    vec3 flame = mix(vec3(0.7, 0.1, 0.0), vec3(1.0, 0.7, 0.2), smoothstep(0.0, 0.3, heat));
    flame = mix(flame, vec3(1.0), smoothstep(0.4, 0.8, heat));
    color = vec4(flame, 1.0) * min(heat * 4.0, 1.0);
}
