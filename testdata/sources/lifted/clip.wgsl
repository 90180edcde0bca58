enable clip_distances;

struct Planes {
    first: vec4<f32>,
    second: vec4<f32>,
}

struct Varyings {
    @location(0) colour: vec4<f32>,
    @builtin(clip_distances) distances: array<f32, 3>,
    @builtin(position) position: vec4<f32>,
}

@group(0) @binding(0) var<uniform> planes: Planes;

// By a variable of which one element is computed, and by a value.
@vertex
fn vs_main(@location(0) corner: vec4<f32>, @builtin(vertex_index) index: u32) -> Varyings {
    var varyings = Varyings(corner, array<f32, 3>(dot(corner, planes.first), 1.0, 2.0), corner);
    varyings.distances[index % 3u] = dot(corner, planes.second);
    return varyings;
}
