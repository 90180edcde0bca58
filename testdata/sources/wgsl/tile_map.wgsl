// Tile map: the number of a tile comes from a texture of integers; flips and animation are bits of it.
struct Map {
    scroll: vec2<f32>,
    tile_size: f32,
    columns: u32,
    ticks: u32,
    lit: vec4<f32>,
}

@group(0) @binding(0) var<uniform> map: Map;
@group(0) @binding(1) var cells: texture_2d<f32>;
@group(0) @binding(2) var tiles: texture_2d<f32>;

const FLIP_X = 0x8000u;
const FLIP_Y = 0x4000u;
const ANIMATED = 0x2000u;

fn tile_pixel(code: u32, inside: vec2<u32>) -> vec2<u32> {
    let size = u32(map.tile_size);
    var p = inside;
    if (code & FLIP_X) != 0u {
        p.x = size - 1u - p.x;
    }
    if (code & FLIP_Y) != 0u {
        p.y = size - 1u - p.y;
    }
    var number = code & 0x1fffu;
    if (code & ANIMATED) != 0u {
        number += (map.ticks / 8u) % 4u;
    }
    return vec2<u32>(number % map.columns, number / map.columns) * size + p;
}

@fragment
fn main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let world = max(floor(position.xy + map.scroll), vec2<f32>(0.0));
    let cell = vec2<i32>(world / map.tile_size);
    let inside = vec2<u32>(world - vec2<f32>(cell) * map.tile_size);
    let code = u32(textureLoad(cells, cell, 0).r * 255.0);
    if code == 0u {
        discard;
    }
    let pixel = tile_pixel(code, min(inside, vec2<u32>(u32(map.tile_size) - 1u)));
    return textureLoad(tiles, pixel, 0) * map.lit;
}
