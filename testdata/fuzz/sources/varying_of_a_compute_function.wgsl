@compute @workgroup_size(1)
fn main(@location(0) v: f32) -> @location(0) vec4<f32> { return vec4<f32>(v); }
