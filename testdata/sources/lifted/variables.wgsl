// A local array that is indexed by computed values, one that is not, a constant table, a matrix and a private variable.
const WEIGHTS = array<f32, 3>(0.25, 0.5, 0.25);

var<private> calls: i32 = 1;

fn weight(i: i32) -> f32 {
    calls += 1;
    return WEIGHTS[i];
}

@fragment
fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> {
    var ring: array<vec2<f32>, 4>;
    var pair: array<f32, 2>;
    for (var i = 0; i < 4; i++) {
        ring[i] = v.xy * f32(i);
        ring[i].y += 1.0;
    }
    pair[0] = v.z;
    pair[1] = v.w;
    var turn = mat2x2<f32>(v.xy, v.zw);
    turn[1].x = 3.0;
    let picked = ring[i32(v.x)];
    return vec4(turn * picked, weight(i32(v.y)) + pair[0] * pair[1], f32(calls));
}
