#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[2]; };

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 2) smooth in vec4 v2;
layout(location = 0) out vec4 oc;

void main() {
    vec2 ft0 = v0.xy * v0.xy;
    float ft0_1 = ft0.x + ft0.y;
    if (fc[0].x < ft0_1) {
        discard;
    }
    float ft1 = -(sqrt(abs(fc[0].x - ft0_1)));
    float od = clamp(((1.0 / ((ft1 * v1.w) + v1.z)) * fc[0].w) + fc[0].z, 0.0, 1.0);
    vec3 ft3 = v2.xyz * (clamp(dot(vec3(v0.xy, ft1), fc[1].xyz), 0.0, 1.0) + fc[0].y);
    oc = vec4(ft3, v2.w);
    gl_FragDepth = od;
}
