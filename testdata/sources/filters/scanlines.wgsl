// Scanlines: the lines and the colour stripes of an old television.
struct Screen {
    lines: f32,
    darkness: f32,
    roll: f32,
    columns: f32,
}

@group(0) @binding(0) var<uniform> screen: Screen;
@group(0) @binding(1) var game: texture_2d<f32>;
@group(0) @binding(2) var game_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(game, game_sampler, uv);
    let row = abs(fract(uv.y * screen.lines + screen.roll) - 0.5) * 2.0;
    let column = fract(uv.x * screen.columns) * 3.0;
    let mask = vec3<f32>(
        select(0.8, 1.2, column < 1.0),
        select(0.8, 1.2, column >= 1.0 && column < 2.0),
        select(0.8, 1.2, column >= 2.0),
    );
    return vec4<f32>(c.rgb * mask * (1.0 - screen.darkness * row * row), c.a);
}
