#version 450
// Components in any order and repeated, by each of the three sets of names.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;

void main() {
    vec4 sum = a.xxyy + a.bgra * 0.5 + vec4(a.st, a.qp);
    sum += a.wzyx.yyxx;
    colour = sum * 0.25 + a.xxxx.rrrr;
}
