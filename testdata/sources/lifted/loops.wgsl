// A loop with a continue and two ways out, and one whose condition stands at its end.
@fragment
fn main(@location(0) v: vec4<f32>) -> @location(0) vec4<f32> {
    var sum = vec3(0.0);
    for (var i = 0; i < 8; i++) {
        if (f32(i) > v.w) {
            break;
        }
        if (i % 2 == 1) {
            continue;
        }
        sum.x += v[i & 3];
        if (sum.x > 2.0) {
            sum.y = 1.0;
            break;
        }
        sum.z += 0.5;
    }
    var half = v.x;
    loop {
        half *= 0.5;
        continuing {
            break if half < 0.1;
        }
    }
    return vec4(sum, half);
}
