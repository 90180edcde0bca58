#version 450 core
layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 0) out vec4 oc;

void main() {
    oc = texture(fs0, v0.xy);
}
