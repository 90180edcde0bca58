#version 450
// Functions that write their parameters and a global variable.
layout(location = 0) in vec3 v;
layout(location = 0) out vec4 colour;
int calls = 0;
bool split(in vec3 from, out vec2 flat_part, inout float rest) {
    calls++;
    flat_part = from.xy;
    float whole;
    rest += modf(from.z, whole);
    return whole > 1.0;
}
void main() {
    vec2 part;
    float rest = 1.0;
    bool large = split(v, part, rest) || split(v.zyx, part, rest);
    colour = vec4(part, rest, large ? float(calls) : 0.0);
}
