@group(0) @binding(0) var<uniform> weights: array<vec4<f32>, 8>;
@group(0) @binding(512) var<storage> given: array<vec4<f32>>;
@group(0) @binding(513) var<storage, read_write> sums: array<vec4<f32>>;
var<workgroup> tile: array<vec4<f32>, 16>;

@compute @workgroup_size(16, 1, 1)
fn gather(@builtin(global_invocation_id) place: vec3<u32>) {
    var slot: array<f32, 4>;

    let value = i32(place.x);
    let value_1 = given[value] + given[value + 1i];
    let value_2 = value_1 * weights[value];
    tile[value] = value_2;
    workgroupBarrier();
    slot[value] = tile[value].x;
    let value_3 = slot[value];
    if 1.0 < value_3 {
        sums[value] = given[value + 1i];
        sums[value + 2i] = sums[value];
    } else {
        sums[value] = value_2;
    }
    sums[5u] = given[5u];
    return;
}
