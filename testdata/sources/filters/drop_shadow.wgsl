// Drop shadow: a soft copy of the alpha behind the sprite, or only the shadow.
struct Shadow {
    offset: vec2<f32>,
    radius: vec2<f32>,
    color: vec4<f32>,
    knockout: f32,
}

@group(0) @binding(0) var<uniform> shadow: Shadow;
@group(0) @binding(1) var sprite: texture_2d<f32>;
@group(0) @binding(2) var sprite_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let place = uv - shadow.offset;
    var cover = 0.0;
    for (var i = 0; i < 4; i++) {
        let reach = (f32(i) + 0.5) * 0.25 * shadow.radius;
        cover += textureSample(sprite, sprite_sampler, place + reach).a;
        cover += textureSample(sprite, sprite_sampler, place - reach).a;
    }
    let behind = shadow.color * (cover * 0.125);
    let front = textureSample(sprite, sprite_sampler, uv);
    return behind * (1.0 - front.a) + front * (1.0 - shadow.knockout);
}
