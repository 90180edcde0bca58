#version 450
// Arrays of uniform blocks at indices that are computed.
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in vec4 a;
layout(location = 1) flat in int place;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 rest;
layout(set = 0, binding = 0) uniform Light { vec4 tint; mat2 turn; int count; float gains[3]; } lights[3];
layout(set = 0, binding = 1) uniform Which { int which; };

void main() {
    int at = which % 3;
    colour = a * lights[at].tint + float(lights[at].count);
    rest = vec4(lights[nonuniformEXT(place % 3)].turn * a.xy, lights[2].gains[at], lights[at].gains[place % 3]);
}
