// Duotone: dark and light printing inks, with a halftone screen of dots.
struct Inks {
    dark: vec3<f32>,
    light: vec3<f32>,
    frequency: f32,
    rotation: vec2<f32>,
    dots: f32,
}

@group(0) @binding(0) var<uniform> inks: Inks;
@group(0) @binding(1) var photo: texture_2d<f32>;
@group(0) @binding(2) var photo_sampler: sampler;

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let c = textureSample(photo, photo_sampler, uv);
    let grey = dot(c.rgb, vec3<f32>(0.299, 0.587, 0.114));
    let turned = vec2<f32>(
        uv.x * inks.rotation.x - uv.y * inks.rotation.y,
        uv.x * inks.rotation.y + uv.y * inks.rotation.x,
    ) * inks.frequency;
    let dot_shape = length(fract(turned) - 0.5);
    let dotted = step(dot_shape, sqrt(1.0 - grey) * 0.7071);
    let shade = mix(grey, 1.0 - dotted, inks.dots);
    return vec4<f32>(mix(inks.dark, inks.light, shade) * c.a, c.a);
}
