// Edges: the Sobel operator on luminance, as lines on a plain ground.
struct Edges {
    texel: vec2<f32>,
    gain: f32,
    line: vec4<f32>,
    ground: vec4<f32>,
}

@group(0) @binding(0) var<uniform> e: Edges;
@group(0) @binding(1) var t: texture_2d<f32>;
@group(0) @binding(2) var s: sampler;

fn luma(uv: vec2<f32>) -> f32 {
    return dot(textureSample(t, s, uv).rgb, vec3<f32>(0.2126, 0.7152, 0.0722));
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let p = e.texel;
    let nw = luma(uv - p);
    let se = luma(uv + p);
    let ne = luma(uv + vec2<f32>(p.x, -p.y));
    let sw = luma(uv + vec2<f32>(-p.x, p.y));
    let n = luma(uv - vec2<f32>(0.0, p.y));
    let w = luma(uv - vec2<f32>(p.x, 0.0));
    let gx = ne + se - nw - sw - 2.0 * w;
    let gy = sw + se - nw - ne - 2.0 * n;
    let strength = saturate(sqrt(gx * gx + gy * gy) * e.gain);
    return mix(e.ground, e.line, strength);
}
