@group(0) @binding(512) var<storage> numbers: array<u32>;
@group(0) @binding(513) var<storage, read_write> sums: array<u32>;
var<workgroup> tile_2: array<u32, 128>;

@compute @workgroup_size(128, 1, 1)
fn prefix_sum(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    var distance_1: u32;
    var sum: u32;

    let value = i32(id.x);
    let value_1 = i32(lane);
    let index = clamp(value_1, 0i, 127i);
    tile_2[index] = numbers[min(u32(max(value, 0i)), arrayLength(&numbers) - 1u)];
    workgroupBarrier();
    distance_1 = 1u;
    loop {
        if !(distance_1 < 128u) {
            break;
        }
        let value_2 = tile_2[index];
        sum = value_2;
        if lane >= distance_1 {
            sum = value_2 + tile_2[clamp(i32(lane - distance_1), 0i, 127i)];
        }
        workgroupBarrier();
        tile_2[index] = sum;
        workgroupBarrier();
        distance_1 = distance_1 * 2u;
    }
    sums[min(u32(max(value, 0i)), arrayLength(&sums) - 1u)] = tile_2[index];
    return;
}
