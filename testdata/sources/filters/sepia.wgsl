// Sepia: an old photograph, faded by an adjustable amount.
struct Params {
    strength: f32,
    warmth: f32,
    paper: vec3<f32>,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var picture_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let source = textureSample(picture, picture_sampler, uv);
    let brown = vec3<f32>(
        dot(source.rgb, vec3<f32>(0.393, 0.769, 0.189)),
        dot(source.rgb, vec3<f32>(0.349, 0.686, 0.168)),
        dot(source.rgb, vec3<f32>(0.272, 0.534, 0.131)),
    );
    let warm = mix(brown, brown * params.paper, params.warmth);
    return vec4<f32>(mix(source.rgb, min(warm, vec3<f32>(source.a)), params.strength), source.a);
}
