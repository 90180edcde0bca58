// Voronoi: cells around random points, with lines at exact distances from the borders.
struct Cells {
    scale: f32,
    time: f32,
    line_width: f32,
    border: vec3<f32>,
}

@group(0) @binding(0) var<uniform> cells: Cells;

struct Nearest {
    offset: vec2<f32>,
    cell: vec2<i32>,
    squared: f32,
}

fn point_of(cell: vec2<f32>) -> vec2<f32> {
    let h = fract(sin(vec2<f32>(dot(cell, vec2<f32>(41.3, 289.1)), dot(cell, vec2<f32>(97.7, 13.9)))) * 25919.7);
    return 0.5 + 0.45 * sin(cells.time + 6.2831 * h);
}

fn nearest(p: vec2<f32>) -> Nearest {
    let base = floor(p);
    let f = fract(p);
    var best = Nearest(vec2<f32>(0.0), vec2<i32>(0), 8.0);
    for (var y = -1; y <= 1; y++) {
        for (var x = -1; x <= 1; x++) {
            let g = vec2<f32>(vec2<i32>(x, y));
            let r = g + point_of(base + g) - f;
            let d = dot(r, r);
            if d < best.squared {
                best.squared = d;
                best.offset = r;
                best.cell = vec2<i32>(x, y);
            }
        }
    }
    return best;
}

@fragment
fn main(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
    let p = uv * cells.scale;
    let first = nearest(p);
    var edge = 8.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            if x == 0 && y == 0 {
                continue;
            }
            let g = vec2<f32>(first.cell + vec2<i32>(x, y));
            let r = g + point_of(floor(p) + g) - fract(p);
            edge = min(edge, dot(0.5 * (first.offset + r), normalize(r - first.offset)));
        }
    }
    let shade = vec3<f32>(0.5) + 0.5 * cos(vec3<f32>(first.cell.xyx) + sqrt(first.squared) * 4.0);
    return vec4<f32>(mix(cells.border, shade, smoothstep(cells.line_width, cells.line_width + 0.02, edge)), 1.0);
}
