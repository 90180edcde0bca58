// Radial blur: four reads on the way to a centre, for speed and explosions.
struct Radial {
    center: vec2<f32>,
    strength: f32,
    decay: f32,
}

@group(0) @binding(0) var<uniform> radial: Radial;
@group(0) @binding(1) var screen: texture_2d<f32>;
@group(0) @binding(2) var screen_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let toward = (radial.center - uv) * radial.strength;
    var sum = textureSample(screen, screen_sampler, uv);
    var weight = 1.0;
    var total = 1.0;
    for (var i = 1; i <= 4; i++) {
        weight *= radial.decay;
        sum += textureSample(screen, screen_sampler, uv + toward * f32(i)) * weight;
        total += weight;
    }
    return sum / total;
}
