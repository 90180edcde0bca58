// Walking ants: each pixel interprets a small program of turns, with all kinds of exits from nested loops.
struct Program {
    steps: array<vec4<i32>, 4>,
    limit: i32,
    size: vec2<f32>,
}

@group(0) @binding(0) var<uniform> program: Program;

fn instruction(index: i32) -> i32 {
    return program.steps[(index >> 2) & 3][index & 3];
}

fn walk(start: vec2<i32>, length_out: ptr<function, i32>) -> vec2<i32> {
    var place = start;
    var heading = vec2<i32>(1, 0);
    *length_out = 0;
    for (var lap = 0; lap < program.limit; lap++) {
        var index = 0;
        loop {
            if index >= 16 {
                break;
            }
            switch instruction(index) {
                case 0: {
                    continue;
                }
                case 1, 2: {
                    heading = vec2<i32>(-heading.y, heading.x);
                    if instruction(index) == 1 {
                        break;
                    }
                    heading = -heading;
                }
                case 3: {
                    if place.x > 100 {
                        return place;
                    }
                    place += heading * 2;
                }
                default: {
                    place += heading;
                    if ((place.x ^ place.y) & 7) == 7 {
                        index += 2;
                        continue;
                    }
                }
                case 9: {
                    return vec2<i32>(-1, -1);
                }
            }
            *length_out += 1;
            continuing {
                index += 1;
                break if *length_out > 200;
            }
        }
        if place.x < 0 || place.y < 0 {
            continue;
        }
        if all(place == start) {
            break;
        }
        *length_out += 10;
    }
    return place;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let start = vec2<i32>(uv * program.size);
    var taken = 7;
    let end = walk(start, &taken);
    let moved = vec2<f32>(end - start) / program.size;
    return vec4<f32>(abs(moved), f32(taken) / 256.0, 1.0);
}
