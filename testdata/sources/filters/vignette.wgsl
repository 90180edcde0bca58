// Vignette: darkens the corners of the picture around a movable centre.
struct Vignette {
    center: vec2<f32>,
    aspect: f32,
    inner: f32,
    outer: f32,
    color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> v: Vignette;
@group(0) @binding(1) var frame: texture_2d<f32>;
@group(0) @binding(2) var frame_sampler: sampler;

fn falloff(distance: f32) -> f32 {
    return smoothstep(v.inner, v.outer, distance);
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let base = textureSample(frame, frame_sampler, uv);
    var d = uv - v.center;
    d.x *= v.aspect;
    let shade = falloff(length(d)) * v.color.a;
    return vec4<f32>(mix(base.rgb, v.color.rgb * base.a, shade), base.a);
}
