#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[3]; };

layout(binding = 0) uniform sampler2D fs0;

layout(binding = 1) uniform sampler2D fs1;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;
layout(location = 1) out vec4 oc1;
layout(location = 2) out vec4 oc2;

void main() {
    vec4 ft0 = texture(fs0, v0.xy);
    vec4 ft2 = texture(fs1, v0.xy);
    if (ft0.w < fc[2].x) {
        discard;
    }
    vec3 ft3 = ((v1.xyz * inversesqrt(max(dot(v1.xyz, v1.xyz), 1e-37))) * fc[2].x) + vec3(fc[2].x);
    vec4 ft4 = fract(fc[0] * min(clamp(v1.w, 0.0, 1.0), fc[2].y));
    oc = vec4(ft0.xyz, ft2.x);
    oc1 = vec4(ft3, ft2.y);
    oc2 = ft4 - (ft4.yzww * fc[1]);
}
