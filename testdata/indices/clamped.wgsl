@group(0) @binding(0) var<uniform> weights: array<vec4<f32>, 8>;
@group(0) @binding(512) var<storage> given: array<vec4<f32>>;
@group(0) @binding(513) var<storage, read_write> sums: array<vec4<f32>>;
var<workgroup> tile: array<vec4<f32>, 16>;

@compute @workgroup_size(16, 1, 1)
fn gather(@builtin(global_invocation_id) place: vec3<u32>) {
    var slot: array<f32, 4>;

    let value = i32(place.x);
    let index = min(u32(max(value + 1i, 0i)), arrayLength(&given) - 1u);
    let value_1 = given[min(u32(max(value, 0i)), arrayLength(&given) - 1u)] + given[index];
    let value_2 = value_1 * weights[clamp(value, 0i, 7i)];
    let index_1 = clamp(value, 0i, 15i);
    tile[index_1] = value_2;
    workgroupBarrier();
    let index_2 = clamp(value, 0i, 3i);
    slot[index_2] = tile[index_1].x;
    let value_3 = slot[index_2];
    if 1.0 < value_3 {
        let index_3 = min(u32(max(value, 0i)), arrayLength(&sums) - 1u);
        sums[index_3] = given[index];
        sums[min(u32(max(value + 2i, 0i)), arrayLength(&sums) - 1u)] = sums[index_3];
    } else {
        let index_4 = min(u32(max(value, 0i)), arrayLength(&sums) - 1u);
        sums[index_4] = value_2;
    }
    sums[min(5u, arrayLength(&sums) - 1u)] = given[min(5u, arrayLength(&given) - 1u)];
    return;
}
