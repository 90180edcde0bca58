#version 450
// Colours of ints with one to four components, beside a colour of floats; one of them is an array, which fills two targets.
layout(location = 0) in vec4 light;
layout(location = 1) flat in uint object;
layout(location = 0) out vec4 lit;
layout(location = 1) out uint id;
layout(location = 2) out ivec3 cell;
layout(location = 3) out uvec4 masks[2];

void main() {
    lit = light;
    id = object;
    cell = ivec3(light.xyz * 16.0);
    masks[0] = uvec4(object) >> uvec4(0u, 8u, 16u, 24u);
    masks[1] = light.w > 0.5 ? masks[0] : ~masks[0];
}
