#version 450
layout(location = 0) in float value;
layout(location = 0) out vec4 colour;

int calls = 0;

bool above(float limit) {
    calls++;
    return value > limit;
}

bool within(float limit) {
    return limit * limit < 1.0;
}

void main() {
    bool pure = value > 0.0 && within(value);
    bool both = value > 0.5 && above(0.25);
    colour = vec4(float(pure), float(both), float(calls), 1.0);
}
