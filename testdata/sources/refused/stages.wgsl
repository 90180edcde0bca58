@compute @workgroup_size(8)
fn main( //~ SDLSHADERBC has no output in a compute function
    @location(0) direction: vec3<f32>, //~ SDLSHADERBC has no input with a location in a compute function
) -> @location(0) vec4<f32> {
    return vec4<f32>(direction, 1.0);
}
