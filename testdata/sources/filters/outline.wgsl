// Outline: a line around the opaque part of a sprite, from eight alpha values.
struct Outline {
    texel: vec2<f32>,
    diagonal: f32,
    color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> outline: Outline;
@group(0) @binding(1) var tex: texture_2d<f32>;
@group(0) @binding(2) var smp: sampler;

fn alpha(uv: vec2<f32>) -> f32 {
    return textureSample(tex, smp, uv).a;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let dx = vec2<f32>(outline.texel.x, 0.0);
    let dy = vec2<f32>(0.0, outline.texel.y);
    let slant = outline.texel * outline.diagonal;
    let anti = vec2<f32>(slant.x, -slant.y);
    let straight = max(max(alpha(uv + dx), alpha(uv - dx)), max(alpha(uv + dy), alpha(uv - dy)));
    let oblique = max(max(alpha(uv + slant), alpha(uv - slant)), max(alpha(uv + anti), alpha(uv - anti)));
    let body = textureSample(tex, smp, uv);
    let border = outline.color * max(straight, oblique);
    return body + border * (1.0 - body.a);
}
