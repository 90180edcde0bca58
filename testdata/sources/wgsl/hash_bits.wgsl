// Bit patterns: squares coloured by counting, reversing and extracting bits of their coordinates.
struct Pattern {
    cells: vec2<f32>,
    seed: u32,
    rule: u32,
}

@group(0) @binding(0) var<uniform> pattern: Pattern;

fn mix_bits(a: u32, b: u32) -> u32 {
    var h = a + (b << 10u);
    h ^= h >> 6u;
    h += h << 3u;
    h ^= h >> 11u;
    h = (h << 15u) | (h >> 17u);
    return ~h;
}

fn morton(cell: vec2<u32>) -> u32 {
    var v = cell & vec2<u32>(0xffffu);
    v = (v | (v << vec2<u32>(8u))) & vec2<u32>(0x00ff00ffu);
    v = (v | (v << vec2<u32>(4u))) & vec2<u32>(0x0f0f0f0fu);
    v = (v | (v << vec2<u32>(2u))) & vec2<u32>(0x33333333u);
    v = (v | (v << vec2<u32>(1u))) & vec2<u32>(0x55555555u);
    return v.x | (v.y << 1u);
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let cell = vec2<u32>(max(uv, vec2<f32>(0.0)) * pattern.cells);
    let code = morton(cell) ^ pattern.seed;
    let h = mix_bits(code, pattern.rule);
    let ones = countOneBits(h);
    let mirrored = reverseBits(h) >> 24u;
    let high = firstLeadingBit(code | 1u);
    let middle = extractBits(h, 8u, 8u);
    let signed_part = extractBits(i32(h), 4u, 4u);
    let combined = insertBits(middle, mirrored, 4u, 4u);
    let color = vec3<f32>(f32(ones) / 32.0, f32(combined & 0xffu) / 255.0, f32(high) / 31.0);
    return vec4<f32>(color + f32(signed_part) / 64.0, 1.0);
}
