#version 450
// Cut away: drops what lies before three planes, and hatches the back faces as cut material.
layout(location = 0) in vec3 local;
layout(location = 1) in vec3 world_normal;
layout(location = 2) flat in int part_number;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 1) uniform Cut {
    vec4 planes[3];
    int used;
    float hatch;
    vec3 light;
} cut;

void clip(vec3 p) {
    int i = 0;
    while (true) {
        if (i >= cut.used || i > 2)
            return;
        if (dot(cut.planes[i].xyz, p) > cut.planes[i].w)
            discard;
        i += 1;
    }
}

vec3 paint(int part) {
    vec3 c = vec3(0.5);
    switch (part % 4) {
        case 0: c = vec3(0.8, 0.3, 0.2); break;
        case 1: c.b = 0.9; break;
        case 2: return vec3(0.9, 0.8, 0.3);
        default: c *= 0.6;
    }
    return c;
}

void main() {
    clip(local);
    gl_FragDepth = gl_FragCoord.z;
    vec3 base = paint(part_number);
    if (gl_FrontFacing) {
        float lambert = max(dot(normalize(world_normal), cut.light), 0.0);
        color = vec4(base * (0.3 + 0.7 * lambert), 1.0);
    } else {
        float stripes = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / cut.hatch));
        color = vec4(mix(base, vec3(0.1), stripes), 1.0);
        gl_FragDepth = max(gl_FragCoord.z - 0.0001, 0.0);
    }
}
