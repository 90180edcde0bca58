#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// A demotion: the invocation goes on, so the derivatives of its neighbours stay defined.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec2 p = a.xy * 2.0;
    if (a.z > 0.75) demote;
    vec2 change = dFdx(p) + dFdy(p);
    if (a.w > 0.9) demote;
    colour = vec4(p, change * 8.0);
}
