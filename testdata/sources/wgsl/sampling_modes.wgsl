// Sampling: one texture, read with a chosen level, a bias, and given gradients, side by side.
struct Modes {
    level: f32,
    stretch: vec2<f32>,
    split: vec2<f32>,
}

@group(0) @binding(0) var<uniform> modes: Modes;
@group(0) @binding(1) var checker: texture_2d<f32>;
@group(0) @binding(2) var trilinear: sampler;

struct Floor {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
    @location(1) @interpolate(linear) screen: vec2<f32>,
}

@vertex
fn vs_main(@location(0) position: vec2<f32>, @location(1) far_away: f32) -> Floor {
    var out: Floor;
    out.position = vec4<f32>(position * far_away, 0.5 * far_away, far_away);
    out.uv = position * far_away * 4.0;
    out.screen = position * 0.5 + 0.5;
    return out;
}

@fragment
fn fs_main(in: Floor) -> @location(0) vec4<f32> {
    let dx = dpdx(in.uv);
    let dy = dpdy(in.uv);
    let biased = textureSampleBias(checker, trilinear, in.uv, 1.5);
    let plain = textureSample(checker, trilinear, in.uv);
    if in.screen.x < modes.split.x {
        return textureSampleLevel(checker, trilinear, in.uv, modes.level);
    }
    if in.screen.x > modes.split.y {
        let along = textureSampleGrad(checker, trilinear, in.uv, dx * modes.stretch.x, dy * modes.stretch.y);
        let across = textureSampleGrad(checker, trilinear, in.uv, dy * modes.stretch.x, dx * modes.stretch.y);
        return (along + across) * 0.5;
    }
    return select(plain, biased, in.screen.y > 0.5);
}
