enable f16;

struct Out {
    @location(0) ids: vec4<f16>, //~ SDLSHADERBC has no colour of type half4
    @builtin(sample_mask) mask: u32, //~ SDLSHADERBC has no output `sample_mask`
}

@fragment
fn main(
    @location(0) @interpolate(perspective, centroid) v: vec2<f32>, //~ SDLSHADERBC has no interpolation `perspective, centroid`
    @builtin(sample_index) sample: u32, //~ SDLSHADERBC has no input `sample_index`
) -> Out {
    return Out(vec4<f16>(f16(sample)), u32(v.x));
}
