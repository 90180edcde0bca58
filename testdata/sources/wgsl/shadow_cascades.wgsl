// Shadows from three cascades, layers of one array of depths, smoothed by a grid of comparisons.
struct Cascades {
    to_light: array<mat4x4<f32>, 3>,
    ends: vec3<f32>,
    bias: f32,
}

@group(0) @binding(0) var<uniform> cascades: Cascades;
@group(0) @binding(1) var shadow_map: texture_depth_2d_array;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
@group(0) @binding(3) var lamp_map: texture_depth_cube;

fn cascade_of(distance: f32) -> i32 {
    if distance < cascades.ends.x { return 0; }
    if distance < cascades.ends.y { return 1; }
    return 2;
}

fn lit(world: vec3<f32>, distance: f32) -> f32 {
    let layer = cascade_of(distance);
    let clip = cascades.to_light[layer] * vec4(world, 1.0);
    let at = clip.xy * vec2(0.5, -0.5) + 0.5;
    let size = vec2<f32>(textureDimensions(shadow_map));
    var sum = 0.0;
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let step = vec2(f32(x), f32(y)) / size;
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, at + step, layer, clip.z - cascades.bias);
        }
    }
    return sum / 9.0;
}

@fragment
fn main(@location(0) world: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) distance: f32) -> @location(0) vec4<f32> {
    let sun = lit(world, distance);
    let lamp = textureSampleCompare(lamp_map, shadow_sampler, normal, distance * 0.1);
    let four = textureGatherCompare(shadow_map, shadow_sampler, world.xy, 1u, 0.5);
    return vec4(vec3(sun * 0.7 + lamp * 0.2 + dot(four, vec4(0.025))), 1.0);
}
