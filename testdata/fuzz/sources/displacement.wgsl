// Displacement: a second texture moves the places where the first is read.
struct Displacement {
    scale: vec2<f32>,
    map_offset: vec2<f32>,
    map_scale: vec2<f32>,
    fade: f32,
}

@group(0) @binding(0) var<uniform> d: Displacement;
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var map: texture_2d<f32>;
@group(0) @binding(3) var clamping: sampler;
@group(0) @binding(4) var repeating: sampler;

@fragment
fn displace(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let m = textureSample(map, repeating, uv * d.map_scale + d.map_offset);
    let push = (m.xy - 0.5) * d.scale * m.a;
    let moved = textureSample(source, clamping, uv + push);
    return moved * (1.0 - d.fade * m.b);
}
