override brightness: f32; //~ the override `brightness` has no default, and is given no value

@fragment
fn main() -> @location(0) vec4<f32> {
    return vec4(brightness);
}
