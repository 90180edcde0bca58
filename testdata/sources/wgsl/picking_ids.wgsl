// The outline of the selected objects: their numbers are the texels of a texture of uints, and offsets those of one of ints.
struct Selection {
    id: u32,
    width: i32,
    color: vec4<f32>,
}

@group(0) @binding(0) var<uniform> selection: Selection;
@group(0) @binding(1) var ids: texture_2d<u32>;
@group(0) @binding(2) var motion: texture_2d<i32>;
@group(0) @binding(3) var layers: texture_2d_array<u32>;

fn id_at(place: vec2<i32>) -> u32 {
    let last = vec2<i32>(textureDimensions(ids)) - 1;
    return textureLoad(ids, clamp(place, vec2(0), last), 0).x & 7u;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let place = vec2<i32>(clamp(uv, vec2(0.0), vec2(1.0)) * 31.0);
    let moved = vec2<f32>(textureLoad(motion, place, 0).xy) / 127.0;
    let own = id_at(place);
    var edges = 0;
    let reach = clamp(selection.width, 1, 3);
    for (var i = -3; i <= 3; i++) {
        if abs(i) <= reach {
            edges += select(0, 1, id_at(place + vec2(i, 0)) != own);
            edges += select(0, 1, id_at(place + vec2(0, i)) != own);
        }
    }
    let group = textureLoad(layers, place, 2, 0).y;
    let shade = f32(group % 5u) * 0.1 + f32(own) * 0.05;
    return mix(vec4(moved * 0.5 + 0.5, shade, 1.0), selection.color, f32(min(edges, 4)) * 0.25);
}
