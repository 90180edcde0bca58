// Blurs each row of a picture, by way of a tile that the workgroup shares; at the border the row goes on with its last texel.

@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, read>;
@group(0) @binding(1) var blurred: texture_storage_2d<rgba8unorm, write>;

var<workgroup> row: array<vec4<f32>, 18>;

fn texel(x: i32, y: i32) -> vec4<f32> {
    let last = vec2<i32>(textureDimensions(picture)) - vec2<i32>(1, 1);
    return textureLoad(picture, clamp(vec2<i32>(x, y), vec2<i32>(0, 0), last));
}

@compute @workgroup_size(16)
fn blur(@builtin(global_invocation_id) place: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let at = vec2<i32>(place.xy);
    row[lane + 1u] = texel(at.x, at.y);
    if lane == 0u {
        row[0] = texel(at.x - 1, at.y);
    }
    if lane == 15u {
        row[17] = texel(at.x + 1, at.y);
    }
    workgroupBarrier();
    let sum = row[lane] + 2.0 * row[lane + 1u] + row[lane + 2u];
    // Outside of the picture nothing is written.
    textureStore(blurred, at, 0.25 * sum);
}
