#version 450
#extension GL_EXT_demote_to_helper_invocation : require
// A demoted invocation goes on for the derivatives of its neighbours.
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 colour;
void main() {
    if (v.x > 0.5) demote;
    float change = fwidth(v.y);
    colour = vec4(dFdx(v.x), dFdy(v.y), change, 1.0);
}
