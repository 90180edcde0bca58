#version 450
// The coordinates of a fragment, from the upper left corner.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 cell = mod(floor(gl_FragCoord.xy), 4.0);
    colour = vec4(cell * 0.25, gl_FragCoord.z, gl_FragCoord.w * a.x);
}
