// Lattice: crystals drawn with matrices of all sizes, inverted, transposed and multiplied by hand.
struct Lattice {
    basis: mat3x3<f32>,
    view: mat4x4<f32>,
    turn: f32,
    shear: f32,
}

@group(0) @binding(0) var<uniform> lattice: Lattice;

fn inverse2(m: mat2x2<f32>) -> mat2x2<f32> {
    let d = determinant(m);
    return mat2x2<f32>(m[1][1], -m[0][1], -m[1][0], m[0][0]) * (1.0 / d);
}

fn inverse3(m: mat3x3<f32>) -> mat3x3<f32> {
    let a = cross(m[1], m[2]);
    let b = cross(m[2], m[0]);
    let c = cross(m[0], m[1]);
    return transpose(mat3x3<f32>(a, b, c)) * (1.0 / dot(m[0], a));
}

struct Crystal {
    @builtin(position) position: vec4<f32>,
    @location(0) fractional: vec3<f32>,
    @location(1) flat_place: vec2<f32>,
    @location(2) normal: vec3<f32>,
}

@vertex
fn vs_main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>) -> Crystal {
    let inverse = inverse3(lattice.basis);
    let rows = mat4x3<f32>(lattice.basis[0], lattice.basis[1], lattice.basis[2], vec3<f32>(0.5));
    let shifted = rows * vec4<f32>(position, 1.0);
    var out: Crystal;
    out.position = lattice.view * vec4<f32>(shifted, 1.0);
    out.fractional = inverse * shifted;
    out.flat_place = mat3x2<f32>(1.0, 0.0, 0.0, 1.0, 0.5, 0.5) * position;
    out.normal = normal * inverse;
    return out;
}

@fragment
fn fs_main(in: Crystal) -> @location(0) vec4<f32> {
    let s = sin(lattice.turn);
    let c = cos(lattice.turn);
    var m = mat2x2<f32>(c, s, -s, c);
    m = m * mat2x2<f32>(1.0, 0.0, lattice.shear, 1.0);
    m[1] += vec2<f32>(0.1, 0.0);
    m[0][0] *= 1.5;
    let p = inverse2(m) * in.flat_place;
    let grid = abs(fract(p * 4.0) - 0.5);
    let volume = abs(determinant(lattice.basis));
    let cell = fract(in.fractional);
    let outer = mat3x3<f32>(cell * cell.x, cell * cell.y, cell * cell.z);
    let trace = outer[0].x + outer[1].y + outer[2].z;
    let light = 0.5 + 0.5 * normalize(in.normal).z;
    return vec4<f32>(cell * light, 1.0) * step(0.05, min(grid.x, grid.y)) * saturate(trace * volume);
}
