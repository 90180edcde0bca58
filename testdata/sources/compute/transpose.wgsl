// Each workgroup transposes a square of 16 by 16 numbers in place, by way of a tile; the structure is that of GLSL's buffers.

struct Squares {
    rows: array<f32>,
}

@group(1) @binding(3) var<storage, read_write> squares: Squares;

var<workgroup> tile: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn transposed(@builtin(local_invocation_id) own: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>) {
    let at = group.x * 256u + own.y * 16u + own.x;
    tile[own.y][own.x] = squares.rows[at];
    workgroupBarrier();
    squares.rows[at] = tile[own.x][own.y];
}
