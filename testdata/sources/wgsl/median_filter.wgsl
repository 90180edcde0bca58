// Median: nine luminances are sorted by insertion in a local array, which removes specks.
struct Median {
    rank: u32,
    strength: f32,
}

@group(0) @binding(0) var<uniform> median: Median;
@group(0) @binding(1) var noisy: texture_2d<f32>;

fn sort(values: ptr<function, array<f32, 9>>) {
    for (var i = 1; i < 9; i++) {
        let current = (*values)[i];
        var j = i - 1;
        while j >= 0 {
            if (*values)[j] <= current {
                break;
            }
            (*values)[j + 1] = (*values)[j];
            j -= 1;
        }
        (*values)[j + 1] = current;
    }
}

@fragment
fn main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let center = vec2<i32>(position.xy);
    var values: array<f32, 9>;
    for (var y = 0; y < 3; y++) {
        for (var x = 0; x < 3; x++) {
            let near = max(center + vec2<i32>(x, y) - 1, vec2<i32>(0));
            let c = textureLoad(noisy, near, 0).rgb;
            values[y * 3 + x] = dot(c, vec3<f32>(0.25, 0.5, 0.25));
        }
    }
    sort(&values);
    let original = textureLoad(noisy, center, 0);
    let luma = dot(original.rgb, vec3<f32>(0.25, 0.5, 0.25));
    let wanted = values[min(median.rank, 8u)];
    let factor = mix(1.0, wanted / max(luma, 0.001), median.strength);
    return vec4<f32>(original.rgb * factor, original.a);
}
