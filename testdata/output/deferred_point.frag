#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[5]; };

layout(binding = 0) uniform sampler2D fs0;

layout(binding = 1) uniform sampler2D fs1;

layout(binding = 2) uniform sampler2D fs2;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;

void main() {
    vec2 ft0 = ((v0.xy / vec2(v0.w)) * fc[4].xy) + vec2(fc[4].x);
    vec4 ft1 = texture(fs0, ft0);
    vec4 ft2 = texture(fs1, ft0);
    vec3 ft3 = v1.xyz * ((dot(texture(fs2, ft0), fc[0]) * fc[4].z) / v1.z);
    vec3 ft4 = fc[2].xyz - ft3;
    float ft4_1 = dot(ft4, ft4);
    vec3 ft4_2 = ft4 * inversesqrt(ft4_1);
    float ft4_3 = clamp(fc[1].y - (ft4_1 * fc[2].w), 0.0, 1.0);
    vec3 ft2_1 = (ft2.xyz * fc[1].x) - vec3(fc[1].y);
    vec3 ft2_2 = ft2_1 * inversesqrt(max(dot(ft2_1, ft2_1), 1e-37));
    vec3 ft5 = ft4_2 - (ft3 * inversesqrt(max(dot(ft3, ft3), 1e-37)));
    vec2 ft6 = vec2(dot(ft2_2, ft4_2), dot(ft2_2, ft5 * inversesqrt(max(dot(ft5, ft5), 1e-37))));
    vec2 ft6_1 = max(ft6, vec2(fc[1].z));
    float ft6_2 = (ft2.w * fc[1].w) + fc[1].y;
    float ft6_3 = (((ft6_2 == 0.0) ? 1.0 : pow(abs(ft6_1.y), ft6_2)) * ft1.w) * ft6_1.x;
    oc = vec4((((ft1.xyz * ft6_1.x) + vec3(ft6_3)) * fc[3].xyz) * (ft4_3 * ft4_3), fc[3].w);
}
