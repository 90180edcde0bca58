#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[1]; };

layout(binding = 0) uniform samplerCube fs0;

layout(binding = 1) uniform samplerCube fs1;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;

void main() {
    vec3 ft0 = v0.xyz * inversesqrt(max(dot(v0.xyz, v0.xyz), 1e-37));
    vec3 ft1 = v1.xyz * inversesqrt(max(dot(v1.xyz, v1.xyz), 1e-37));
    float ft2 = dot(ft1, ft0);
    vec4 ft5 = texture(fs1, ft1, 3.0);
    vec4 ft4 = ((texture(fs0, ft0 - (ft1 * (ft2 + ft2))) - ft5) * fc[0].w) + ft5;
    oc = vec4(ft4.xyz * fc[0].xyz, ft4.w);
}
