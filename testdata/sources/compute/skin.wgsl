// Skinning: vertices of three components, and the bones that move them, whose matrices have three columns of four.

struct Vertex {
    position: array<f32, 3>,
    bones: array<u32, 2>,
    weight: f32,
}

struct Bone {
    rows: mat3x4<f32>,
    stretch: mat2x2<f32>,
}

@group(0) @binding(0) var<storage, read> vertices: array<Vertex>;
@group(0) @binding(1) var<storage, read> bones: array<Bone, 4>;
@group(0) @binding(2) var<storage, read_write> positions: array<vec3<f32>>;
@group(0) @binding(3) var<storage, read_write> bounds: array<array<vec2<f32>, 2>>;

fn moved(position: vec4<f32>, number: u32) -> vec3<f32> {
    let bone = bones[number % 4u];
    let at = position * bone.rows;
    return vec3<f32>(bone.stretch * at.xy, at.z * bones[number % 4u].rows[2][number % 4u]);
}

@compute @workgroup_size(16)
fn skin(@builtin(global_invocation_id) id: vec3<u32>) {
    let vertex = vertices[id.x];
    let position = vec4<f32>(vertex.position[0], vertex.position[1], vertices[id.x].position[2], 1.0);
    let both = mix(moved(position, vertex.bones[0]), moved(position, vertex.bones[1]), vertex.weight);
    positions[id.x] = both;
    positions[id.x].y += 1.0;
    bounds[id.x][0] = min(both.xy, both.yz);
    bounds[id.x][1][id.x % 2u] = max(both.x, both.z);
}
