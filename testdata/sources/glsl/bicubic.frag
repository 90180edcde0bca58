#version 450
// Bicubic: enlarges a picture with four linear reads, weighted by a cubic B-spline.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 0, binding = 0) uniform texture2D small;
layout(set = 0, binding = 1) uniform sampler linear;
layout(set = 0, binding = 2) uniform Size {
    vec4 size_and_texel;
} size;

vec4 cubic(float t) {
    float t2 = t * t, t3 = t2 * t;
    const mat4 spline = mat4(
        1.0, 4.0, 1.0, 0.0,
        -3.0, 0.0, 3.0, 0.0,
        3.0, -6.0, 3.0, 0.0,
        -1.0, 3.0, -3.0, 1.0
    );
    return spline * vec4(1.0, t, t2, t3) / 6.0;
}

void main() {
    vec2 place = uv * size.size_and_texel.xy - 0.5;
    vec2 base = floor(place);
    vec2 f = place - base;
    vec4 wx = cubic(f.x);
    vec4 wy = cubic(f.y);
    vec4 sums = vec4(wx.xz + wx.yw, wy.xz + wy.yw);
    vec4 at = base.xxyy + vec4(-0.5, 1.5, -0.5, 1.5) + vec4(wx.yw, wy.yw) / sums;
    at *= size.size_and_texel.zzww;
    vec4 lower = mix(texture(sampler2D(small, linear), at.yz), texture(sampler2D(small, linear), at.xz), sums.x / (sums.x + sums.y));
    vec4 upper = mix(texture(sampler2D(small, linear), at.yw), texture(sampler2D(small, linear), at.xw), sums.x / (sums.x + sums.y));
    color = mix(upper, lower, sums.z / (sums.z + sums.w));
}
