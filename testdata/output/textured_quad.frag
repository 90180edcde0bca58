#version 450 core
struct Varyings {
    vec4 op;
    vec4 v0;
};
layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 0) out vec4 oc;

void main() {
    oc = texture(fs0, vec2(v0.xy));
}
