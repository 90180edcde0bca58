#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[1]; };

layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 0) out vec4 oc;

void main() {
    vec4 ft0 = texture(fs0, v0.xy);
    if (ft0.w < fc[0].x) {
        discard;
    }
    oc = vec4(ft0.xyz, fc[0].y);
}
