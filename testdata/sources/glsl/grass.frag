#version 450
// Grass: green from root to tip, dry blades yellow, lit on both sides.
layout(location = 0) in float along;
layout(location = 1) in vec3 normal;
layout(location = 2) in float dry;
layout(location = 0) out vec4 color;

void main() {
    vec3 n = normalize(gl_FrontFacing ? normal : -normal);
    vec3 green = mix(vec3(0.05, 0.15, 0.03), vec3(0.35, 0.6, 0.15), along);
    vec3 straw = mix(vec3(0.2, 0.15, 0.05), vec3(0.8, 0.7, 0.35), along);
    vec3 base = dry > 0.85 ? straw : mix(green, straw, dry * 0.3);
    float light = 0.5 + 0.5 * dot(n, vec3(0.4, 0.8, 0.45));
    float hollow = mix(0.4, 1.0, along);
    color = vec4(base * light * hollow, 1.0);
}
