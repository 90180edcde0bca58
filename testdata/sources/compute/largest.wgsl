// The largest number of each workgroup, by halves, with a function that meets.

@group(0) @binding(0) var<storage, read> numbers: array<i32>;
@group(0) @binding(1) var<storage, read_write> largest: array<i32>;

var<workgroup> tile: array<i32, 64>;

fn halve(lane: u32, half: u32) {
    if lane < half {
        tile[lane] = max(tile[lane], tile[lane + half]);
    }
    workgroupBarrier();
}

@compute @workgroup_size(8, 8)
fn find(
    @builtin(local_invocation_index) lane: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let number = group.y * groups.x + group.x;
    tile[lane] = numbers[number * 64u + lane];
    workgroupBarrier();
    halve(lane, 32u);
    halve(lane, 16u);
    halve(lane, 8u);
    halve(lane, 4u);
    halve(lane, 2u);
    halve(lane, 1u);
    if lane == 0u {
        largest[number] = tile[0];
    }
}
