// A height map with a raised look: slopes from the texels beside each one, and a dark line where heights differ much.

@group(0) @binding(0) var heights: texture_2d<f32>;
@group(0) @binding(1) var clouds: texture_3d<f32>;
@group(0) @binding(2) var bilinear: sampler;
@group(0) @binding(3) var shade: texture_depth_2d_array;
@group(0) @binding(4) var compares: sampler_comparison;

const RIGHT = vec2<i32>(1, 0);

@fragment
fn main(@location(0) uv: vec2<f32>, @location(1) light: vec3<f32>) -> @location(0) vec4<f32> {
    let here = textureSample(heights, bilinear, uv).r;
    let right = textureSample(heights, bilinear, uv, RIGHT).r;
    let below = textureSampleBias(heights, bilinear, uv, 0.5, vec2(0, 1)).r;
    let normal = normalize(vec3(here - right, here - below, 0.25));

    let corners = textureGather(0, heights, bilinear, uv, vec2<i32>(-1, -1));
    let most = max(max(corners.x, corners.y), max(corners.z, corners.w));
    let least = min(min(corners.x, corners.y), min(corners.z, corners.w));
    let line = 1.0 - step(0.2, most - least);

    let above = textureSampleLevel(clouds, bilinear, vec3(uv, light.z), 0.0, vec3(0, -2, 3)).a;
    let slope = textureSampleGrad(heights, bilinear, uv, dpdx(uv), dpdy(uv), vec2(-8, 7)).g;
    let lit = textureSampleCompareLevel(shade, compares, uv, 1, light.x, vec2(2, 2));
    let soft = textureSampleCompare(shade, compares, uv, 0, light.y, vec2(-2, 0));
    let around = textureGatherCompare(shade, compares, uv, 1, light.y, vec2(1, 1));

    let brightness = max(dot(normal, light), 0.0) * line * mix(lit, soft, 0.5);
    return vec4(vec3(brightness) * (1.0 - above * 0.5), slope + dot(around, vec4(0.25)));
}
