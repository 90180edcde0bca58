#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[2]; };

layout(binding = 0) uniform sampler2D fs0;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 0) out vec4 oc;

void main() {
    vec4 ft0 = texture(fs0, v0.xy);
    vec2 ft1 = vec2(dFdx(ft0.w), -(dFdy(ft0.w)));
    vec2 ft1_1 = ft1 * ft1;
    float ft1_2 = max(sqrt(ft1_1.x + ft1_1.y) * fc[0].y, fc[1].x);
    float ft2 = clamp(((ft0.w - fc[0].x) + ft1_2) / (ft1_2 + ft1_2), 0.0, 1.0);
    float ft3 = v1.w * ((ft2 * ft2) * (fc[0].w - (ft2 * fc[0].z)));
    oc = vec4(v1.xyz * ft3, ft3);
}
