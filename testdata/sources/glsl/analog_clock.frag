#version 450
// Clock face: hands, marks and a rim by distances, with one array of hands and nested ternaries.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform Time {
    float seconds;
    vec3 face;
    vec3 marks;
} now;

struct Hand {
    float turn;
    float reach;
    float width;
    vec3 color;
};

float rounded_line(vec2 p, vec2 end, float width) {
    float t = clamp(dot(p, end) / dot(end, end), 0.0, 1.0);
    return length(p - end * t) - width;
}

Hand hand(int i) {
    Hand h;
    h.color = vec3(0.1);
    float s = now.seconds;
    h.turn = i == 0 ? s / 43200.0 : i == 1 ? s / 3600.0 : floor(s) / 60.0;
    h.reach = i == 0 ? 0.5 : i == 1 ? 0.75 : 0.8;
    h.width = i == 0 ? 0.035 : i == 1 ? 0.022 : 0.008;
    if (i == 2) {
        h.color.r = 0.8;
    }
    return h;
}

void blend(inout vec3 below, vec3 above, float distance_to) {
    below = mix(above, below, smoothstep(-0.004, 0.004, distance_to));
}

void main() {
    vec2 p = uv * 2.0 - 1.0;
    float r = length(p);
    vec3 c = vec3(0.25);
    blend(c, now.marks, r - 0.98);
    blend(c, now.face, r - 0.93);
    float minutes = atan(p.x, p.y) * 9.5492966;
    float nearest = floor(minutes + 0.5);
    float along = (minutes - nearest) / 9.5492966 * r;
    bool hour = mod(nearest, 5.0) == 0.0;
    if (r > (hour ? 0.78 : 0.86) && r < 0.91)
        blend(c, now.marks, abs(along) - (hour ? 0.016 : 0.006));
    for (int i = 0; i < 3; i++) {
        Hand h = hand(i);
        float a = fract(h.turn) * 6.2831853;
        blend(c, h.color, rounded_line(p, vec2(sin(a), cos(a)) * h.reach, h.width));
    }
    color = vec4(c, 1.0);
}
