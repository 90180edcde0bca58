#version 450
// A depth that is promised to be the rasteriser's.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
layout(depth_unchanged) out float gl_FragDepth;

void main() {
    gl_FragDepth = gl_FragCoord.z;
    colour = a;
}
