#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[4]; };

layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 2) smooth in vec4 v2;
layout(location = 0) out vec4 oc;

void main() {
    vec3 ft0 = v1.xyz * inversesqrt(max(dot(v1.xyz, v1.xyz), 1e-37));
    vec3 ft1 = fc[3].xyz - v0.xyz;
    float ft2 = dot(ft0, fc[0].xyz);
    float ft2_1 = dot((ft0 * (ft2 + ft2)) - fc[0].xyz, ft1 * inversesqrt(max(dot(ft1, ft1), 1e-37)));
    vec2 ft2_2 = max(vec2(ft2, ft2_1), vec2(fc[3].w));
    float ft2_3 = (fc[2].w == 0.0) ? 1.0 : pow(abs(ft2_2.y), fc[2].w);
    vec4 ft4 = texture(fs0, v2.xy);
    vec3 ft5 = fc[1].xyz * (ft2_3 * float(fc[3].w < ft2));
    oc = vec4((ft4.xyz * ((fc[1].xyz * ft2_2.x) + fc[2].xyz)) + ft5, ft4.w);
}
