#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[1]; };

layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;

void main() {
    float ft0 = v1.x * fc[0].x;
    vec4 ft1 = texture(fs0, v0.xy);
    oc = ((vec4(ft0, fc[0].z, fc[0].y - ft0, fc[0].y) - ft1) * fc[0].w) + ft1;
}
