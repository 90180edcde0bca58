#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[2]; };

layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;

void main() {
    vec4 ft0 = texture(fs0, v0.xy);
    float ft1 = clamp(dot(v1.xyz * inversesqrt(max(dot(v1.xyz, v1.xyz), 1e-37)), fc[0].xyz), 0.0, 1.0);
    if (ft0.w < fc[1].w) {
        discard;
    }
    oc = vec4(ft0.xyz * ((ft1 * fc[1].x) + fc[1].y), ft0.w);
}
