enable f16;

const large = f16(65520i);

@fragment
fn main() -> @location(0) vec4<f32> {
    let whole = i32(large); //~ naga's reader may fail on a constant that is converted to f16 and then to an integer; convert the constant directly to the integer
    return vec4(f32(whole));
}
