// The sums of the numbers up to each place, within a workgroup.

@group(0) @binding(0) var<storage, read> numbers: array<u32>;
@group(0) @binding(1) var<storage, read_write> sums: array<u32>;

var<workgroup> tile: array<u32, 128>;

@compute @workgroup_size(128)
fn prefix_sum(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    tile[lane] = numbers[id.x];
    workgroupBarrier();
    for (var distance = 1u; distance < 128u; distance *= 2u) {
        var sum = tile[lane];
        if lane >= distance {
            sum += tile[lane - distance];
        }
        workgroupBarrier();
        tile[lane] = sum;
        workgroupBarrier();
    }
    sums[id.x] = tile[lane];
}
