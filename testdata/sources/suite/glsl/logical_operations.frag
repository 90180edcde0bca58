#version 450
// And, or, exclusive or, not and equality of bools, with conditions that must not be evaluated twice.
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 colour;
int calls = 0;

bool positive(float x) {
    calls++;
    return x > 0.0;
}

void main() {
    bool both = positive(a.x) && positive(a.y);
    bool either = positive(a.z) || positive(a.w);
    bool one = both ^^ either;
    bool same = both == either, other = both != one;
    colour = vec4(both, either, one, same) + (other ? 0.5 : 0.0) + float(calls) * 0.1 + (!one ? 0.25 : 0.0);
}
