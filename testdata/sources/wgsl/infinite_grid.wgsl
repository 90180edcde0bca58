// Grid: an endless floor of fine and coarse lines, smoothed by derivatives, with coloured axes.
struct Floor {
    inverse_view_projection: mat4x4<f32>,
    view_projection: mat4x4<f32>,
    fade: f32,
    spacing: f32,
}

@group(0) @binding(0) var<uniform> grid: Floor;

struct Line {
    @builtin(position) position: vec4<f32>,
    @location(0) near_point: vec3<f32>,
    @location(1) far_point: vec3<f32>,
}

fn unproject(p: vec3<f32>) -> vec3<f32> {
    let h = grid.inverse_view_projection * vec4<f32>(p, 1.0);
    return h.xyz / h.w;
}

@vertex
fn vs_main(@builtin(vertex_index) i: u32) -> Line {
    var corner = vec2<f32>(-1.0);
    switch i {
        case 1u, 3u: { corner.x = 3.0; }
        case 2u: { corner.y = 3.0; }
        default: {}
    }
    return Line(vec4<f32>(corner, 0.0, 1.0), unproject(vec3<f32>(corner, 0.0)), unproject(vec3<f32>(corner, 1.0)));
}

fn lines(p: vec2<f32>, width: vec2<f32>) -> f32 {
    let d = abs(fract(p - 0.5) - 0.5) / width;
    return 1.0 - min(min(d.x, d.y), 1.0);
}

struct Result {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@fragment
fn fs_main(in: Line) -> Result {
    let along = in.far_point - in.near_point;
    let t = -in.near_point.y / along.y;
    let p = in.near_point + along * t;
    let place = p.xz / grid.spacing;
    let width = fwidth(place);
    let fine = lines(place, width) * 0.4;
    let coarse = lines(place * 0.1, width * 0.1) * 0.8;
    var color = vec4<f32>(vec3<f32>(0.5), max(fine, coarse));
    let axis = abs(place) < width;
    if axis.y {
        color = vec4<f32>(0.9, 0.2, 0.2, color.a);
    }
    if axis.x {
        color = vec4<f32>(0.2, 0.3, 0.9, color.a);
    }
    let clip = grid.view_projection * vec4<f32>(p, 1.0);
    color.a *= select(0.0, exp(-length(p) * grid.fade), t > 0.0);
    return Result(color, saturate(clip.z / clip.w));
}
