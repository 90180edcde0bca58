// Foliage: leaves swaying in the wind, cut out by alpha, and read again after the discard.
struct Wind {
    view_projection: mat4x4<f32>,
    gust: vec3<f32>,
    time: f32,
    cutoff: f32,
    backlight: vec3<f32>,
}

@group(0) @binding(0) var<uniform> wind: Wind;
@group(1) @binding(0) var leaves: texture_2d<f32>;
@group(1) @binding(1) var veins: texture_2d<f32>;
@group(1) @binding(2) var leaf_sampler: sampler;

struct Leaf {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) normal: vec3<f32>,
}

@vertex
fn vs_main(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @location(3) stiffness: f32,
    @builtin(instance_index) plant: u32,
) -> Leaf {
    let phase = wind.time * 2.0 + f32(plant) * 1.618 + dot(position, vec3<f32>(0.3, 0.1, 0.7));
    var bent = position;
    let flexible = 1.0 - stiffness;
    bent += wind.gust * (sin(phase) + 0.3 * sin(phase * 2.7)) * flexible * uv.y;
    bent.y -= dot(bent - position, bent - position) * 0.5;
    bent.x += f32(plant % 16u);
    bent.z += f32(plant / 16u);
    return Leaf(wind.view_projection * vec4<f32>(bent, 1.0), uv, normal);
}

@fragment
fn fs_main(leaf: Leaf, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let color = textureSample(leaves, leaf_sampler, leaf.uv);
    let wanted = wind.cutoff + fwidth(color.a) * 0.25;
    if color.a < wanted {
        discard;
    }
    let detail = textureSample(veins, leaf_sampler, leaf.uv * 4.0).r;
    var n = normalize(leaf.normal);
    if !front {
        n = -n;
    }
    let through = wind.backlight * max(-n.y, 0.0) * detail;
    return vec4<f32>(color.rgb * (0.4 + 0.6 * max(n.y, 0.0)) * (0.7 + 0.3 * detail) + through, 1.0);
}
