struct Particle {
    position: vec4<f32>,
    age: u32,
}

@group(0) @binding(0) var<storage, read_write> particles: array<Particle>; //~ SDLSHADERBC has no type `array<Particle>`
@group(0) @binding(1) var<storage, read_write> colours: array<vec3<f32>>; //~ SDLSHADERBC has no type `array<vec3<f32>>`
var<workgroup> flags: array<bool, 4>; //~ SDLSHADERBC has no type `array<bool, 4>`

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) lane: u32) {
    flags[lane] = particles[lane].age > u32(colours[lane].x);
}
