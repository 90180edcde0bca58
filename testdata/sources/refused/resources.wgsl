@group(0) @binding(0) var<storage> data: array<vec3<f32>>;
@group(0) @binding(1) var many: texture_2d_array<u32>;
@group(0) @binding(2) var shadow: texture_depth_2d;
@group(0) @binding(4) var samples: texture_multisampled_2d<f32>;
@group(0) @binding(5) var<uniform> values: array<mat2x2<f32>, 3>;
override brightness: f32 = 1.0;

@fragment
fn main(@location(0) v: vec2<f32>) -> @location(0) vec4<f32> {
    let a = textureLoad(many, vec2(0), 0, 0);
    let b = textureLoad(shadow, vec2(0), 0); //~ SDLSHADERBC has no operation for fetches from this kind of texture
    let c = textureLoad(samples, vec2(0), 0); //~ SDLSHADERBC has no operation for fetches from this kind of texture
    let d = dpdxFine(v.x); //~ SDLSHADERBC has no operation for fine or coarse derivatives
    let e = brightness;
    return vec4(f32(a.x), b, c.x, d) + data[0].x * e + values[1][0].xyxy;
}
