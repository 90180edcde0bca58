// Impostors: spheres of molecules drawn on quads, with the right depth of every pixel.
struct Camera {
    view: mat4x4<f32>,
    projection: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> camera: Camera;

struct Atom {
    @builtin(position) position: vec4<f32>,
    @location(0) corner: vec2<f32>,
    @location(1) @interpolate(flat) center: vec3<f32>,
    @location(2) @interpolate(flat) radius: f32,
    @location(3) @interpolate(flat) element: u32,
}

struct Pixel {
    @location(0) color: vec4<f32>,
    @builtin(frag_depth) depth: f32,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32, @location(0) atom: vec4<f32>, @location(1) element: u32) -> Atom {
    var out: Atom;
    let x = select(-1.0, 1.0, (index & 1u) != 0u);
    let y = select(-1.0, 1.0, (index & 2u) != 0u);
    out.corner = vec2<f32>(x, y) * 1.1;
    out.center = (camera.view * vec4<f32>(atom.xyz, 1.0)).xyz;
    out.radius = atom.w;
    out.element = element;
    out.position = camera.projection * vec4<f32>(out.center + vec3<f32>(out.corner * atom.w, 0.0), 1.0);
    return out;
}

fn element_color(element: u32) -> vec3<f32> {
    switch element {
        case 1u: { return vec3<f32>(0.95); }
        case 6u: { return vec3<f32>(0.2); }
        case 7u: { return vec3<f32>(0.2, 0.3, 0.95); }
        case 8u: { return vec3<f32>(0.9, 0.1, 0.1); }
        case 9u, 17u: { return vec3<f32>(0.2, 0.9, 0.3); }
        default: { return vec3<f32>(0.9, 0.5, 0.9); }
    }
}

@fragment
fn fs_main(atom: Atom) -> Pixel {
    let squared = dot(atom.corner, atom.corner);
    if squared > 1.0 {
        discard;
    }
    let n = vec3<f32>(atom.corner, sqrt(1.0 - squared));
    let place = atom.center + n * atom.radius;
    let clip = camera.projection * vec4<f32>(place, 1.0);
    var pixel: Pixel;
    pixel.depth = clip.z / clip.w;
    let light = 0.25 + 0.75 * max(dot(n, vec3<f32>(0.577, 0.577, 0.577)), 0.0);
    pixel.color = vec4<f32>(element_color(atom.element) * light, 1.0);
    return pixel;
}
