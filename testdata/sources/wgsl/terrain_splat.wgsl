// Terrain: heights from a texture in the vertex stage, and four grounds by a splat map and the slope.
struct Terrain {
    view_projection: mat4x4<f32>,
    size: vec2<f32>,
    height: f32,
    tiling: f32,
    texel: vec2<f32>,
    sun: vec3<f32>,
}

@group(0) @binding(0) var<uniform> terrain: Terrain;
@group(0) @binding(1) var heights: texture_2d<f32>;
@group(0) @binding(2) var heights_sampler: sampler;
@group(1) @binding(0) var splat: texture_2d<f32>;
@group(1) @binding(1) var grass: texture_2d<f32>;
@group(1) @binding(2) var sand: texture_2d<f32>;
@group(1) @binding(3) var rock: texture_2d<f32>;
@group(1) @binding(4) var snow: texture_2d<f32>;
@group(1) @binding(5) var ground_sampler: sampler;

struct Ground {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
}

fn height_at(uv: vec2<f32>) -> f32 {
    return textureSampleLevel(heights, heights_sampler, uv, 0.0).r * terrain.height;
}

@vertex
fn vs_main(@location(0) uv: vec2<f32>) -> Ground {
    let here = height_at(uv);
    let east = height_at(uv + vec2<f32>(terrain.texel.x, 0.0));
    let north = height_at(uv + vec2<f32>(0.0, terrain.texel.y));
    let spacing = terrain.texel * terrain.size;
    let normal = normalize(vec3<f32>((here - east) / spacing.x, 1.0, (here - north) / spacing.y));
    let place = vec3<f32>(uv.x * terrain.size.x, here, uv.y * terrain.size.y);
    return Ground(terrain.view_projection * vec4<f32>(place, 1.0), uv, normal);
}

@fragment
fn fs_main(in: Ground) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    var weights = textureSample(splat, ground_sampler, in.uv);
    let steep = smoothstep(0.55, 0.75, 1.0 - n.y);
    weights = mix(weights, vec4<f32>(0.0, 0.0, 1.0, 0.0), steep);
    weights /= max(weights.x + weights.y + weights.z + weights.w, 0.001);
    let tiled = in.uv * terrain.tiling;
    let color = mat4x3<f32>(
        textureSample(grass, ground_sampler, tiled).rgb,
        textureSample(sand, ground_sampler, tiled).rgb,
        textureSample(rock, ground_sampler, tiled * 0.5).rgb,
        textureSample(snow, ground_sampler, tiled).rgb,
    ) * weights;
    return vec4<f32>(color * (0.2 + max(dot(n, terrain.sun), 0.0)), 1.0);
}
