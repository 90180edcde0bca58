#version 450 core
layout(std140, binding = 1) uniform FragmentConstants { vec4 fc[1]; };

layout(binding = 0) uniform sampler2D fs0;

layout(binding = 1) uniform sampler2D fs1;

layout(binding = 2) uniform sampler2D fs2;

layout(binding = 3) uniform sampler2D fs3;

layout(binding = 4) uniform sampler2D fs4;

layout(location = 0) smooth in vec4 v0;
layout(location = 1) smooth in vec4 v1;
layout(location = 2) smooth in vec4 v2;
layout(location = 0) out vec4 oc;

void main() {
    vec4 ft1 = vec4(0.0);
    float ft0 = v2.x + fc[0].x;
    float ft0_1 = ft0 - fract(ft0);
    vec2 v0_dx = dFdx(v0.xy);
    vec2 v0_dy = -(dFdy(v0.xy));
    if (ft0_1 < fc[0].x) {
        ft1 = textureGrad(fs0, v0.xy, v0_dx, v0_dy);
    } else if (ft0_1 < fc[0].y) {
        ft1 = textureGrad(fs1, v0.xy, v0_dx, v0_dy);
    } else if (ft0_1 == fc[0].z) {
        ft1 = textureLod(fs3, v0.xy, 0.0);
    } else if (ft0_1 == fc[0].w) {
        ft1 = textureLod(fs4, v0.xy, 0.0);
    } else {
        ft1 = textureGrad(fs2, v0.xy, v0_dx, v0_dy);
    }
    oc = ft1 * v1;
}
