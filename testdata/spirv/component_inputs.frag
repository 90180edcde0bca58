#version 450
// Varyings and colours that share a location by the layout qualifier `component`.
layout(location = 0) in vec3 normal;
layout(location = 0, component = 3) in float fog;
in Pair { layout(location = 2, component = 1) float low; layout(location = 2, component = 3) float high; } pair;
layout(location = 0) out vec2 red_green;
layout(location = 0, component = 3) out float alpha;
layout(location = 1, component = 2) out float blue;
void main() {
    red_green = normal.xy * fog;
    alpha = pair.low;
    for (int i = 0; i < 3; i++) blue += pair.high * normal[i];
}
