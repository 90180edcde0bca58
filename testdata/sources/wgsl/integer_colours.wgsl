// Colours of ints and unsigned ints with one to four components, beside a colour of floats.
struct Targets {
    @location(0) lit: vec4<f32>,
    @location(1) object: u32,
    @location(2) cell: vec2<i32>,
    @location(3) mask: vec4<u32>,
}

fn spread(bits: u32) -> vec4<u32> {
    return (vec4(bits) >> vec4(0u, 8u, 16u, 24u)) & vec4(0xffu);
}

@fragment
fn fs_main(
    @builtin(position) at: vec4<f32>,
    @location(0) light: vec3<f32>,
    @location(1) @interpolate(flat) object: u32,
) -> Targets {
    let cell = vec2<i32>(at.xy) - 8;
    var targets = Targets(vec4(light, 1.0), object, cell, spread(object ^ 0x80ff017fu));
    if cell.x < cell.y {
        targets.object = ~object;
        targets.mask = targets.mask.wzyx;
    }
    return targets;
}
