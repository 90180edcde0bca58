// How many numbers fall into each of 16 classes: a workgroup takes every so many tiles, which all of its invocations read, and each
// counts one class. The counts of the workgroups are to be added.

@group(0) @binding(0) var<storage, read> numbers: array<u32>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;

var<workgroup> tile: array<u32, 16>;

@compute @workgroup_size(16)
fn histogram(
    @builtin(local_invocation_id) own: vec3<u32>,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    var count = 0u;
    let tiles = arrayLength(&numbers) / 16u;
    for (var at = group.x; at < tiles; at += groups.x) {
        tile[own.x] = numbers[at * 16u + own.x];
        workgroupBarrier();
        for (var i = 0u; i < 16u; i++) {
            count += u32(tile[i] % 16u == own.x);
        }
        workgroupBarrier();
    }
    counts[group.x * 16u + own.x] = count;
}
