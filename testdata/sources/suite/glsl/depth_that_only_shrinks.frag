#version 450
// A depth that is promised to be less than the rasteriser's.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(depth_less) out float gl_FragDepth;

void main() {
    gl_FragDepth = clamp(gl_FragCoord.z - abs(a.x) * 0.25, 0.0, 1.0);
    colour = a;
}
