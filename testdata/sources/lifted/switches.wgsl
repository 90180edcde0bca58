// A switch with values that share a block, a break, and a continue of the loop around it.
@fragment
fn main(@location(0) @interpolate(flat) kind: i32, @location(1) v: vec3<f32>) -> @location(0) vec4<f32> {
    var colour = v;
    for (var i = 0; i < 3; i++) {
        switch kind + i {
            case 1, 2: {
                colour.x += 1.0;
            }
            case 4: {
                if (v.y > 0.5) {
                    continue;
                }
                colour.y = 0.0;
            }
            default: {
                if (v.z > 0.5) {
                    break;
                }
                colour.z *= 2.0;
            }
        }
        colour *= 0.9;
    }
    return vec4(colour, 1.0);
}
