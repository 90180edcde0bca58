@fragment
fn main() -> @location(0) vec4<f32> {
    return vec4(1.0) + ; //~ expected expression, found ";"
}
