@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
@fragment fn f(@location(0) v: vec2f) -> @location(0) vec4f { return textureSample(t, s, v) + dpdx(v.x); }
