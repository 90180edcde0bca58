struct Particle {
    position: vec4<f32>,
    age: atomic<u64>,
}

@group(0) @binding(0) var<storage, read_write> particles: array<Particle>; //~ SDLSHADERBC has no type `array<Particle>`
@group(0) @binding(1) var<storage, read_write> colours: array<array<f32, 5000>>;
var<workgroup> flags: array<bool, 4>; //~ SDLSHADERBC has no type `array<bool, 4>`

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) lane: u32) {
    flags[lane] = atomicLoad(&particles[lane].age) != atomicLoad(&particles[0].age);
    let all = colours[lane]; //~ a value has 5000 vectors, but the limit is 4096
    colours[0][lane] = all[lane];
}
