// Transposes a square of 16 by 16 numbers in place of memory, by way of a tile; the structure is that of GLSL's buffers.

struct Square {
    rows: array<f32>,
}

@group(1) @binding(3) var<storage, read_write> square: Square;

var<workgroup> tile: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn transposed(@builtin(local_invocation_id) own: vec3<u32>) {
    tile[own.y][own.x] = square.rows[own.y * 16u + own.x];
    workgroupBarrier();
    square.rows[own.y * 16u + own.x] = tile[own.x][own.y];
}
