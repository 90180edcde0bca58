// Plasma: sums of sines, coloured by a constant palette that is indexed dynamically.
struct Plasma {
    time: f32,
    zoom: f32,
    shift: i32,
}

@group(0) @binding(0) var<uniform> plasma: Plasma;

const PALETTE: array<vec3<f32>, 8> = array<vec3<f32>, 8>(
    vec3<f32>(0.05, 0.02, 0.15),
    vec3<f32>(0.25, 0.05, 0.35),
    vec3<f32>(0.55, 0.08, 0.38),
    vec3<f32>(0.85, 0.22, 0.28),
    vec3<f32>(0.98, 0.48, 0.18),
    vec3<f32>(1.00, 0.75, 0.28),
    vec3<f32>(0.98, 0.95, 0.65),
    vec3<f32>(0.40, 0.60, 0.80),
);

fn pick(index: i32) -> vec3<f32> {
    var colors = PALETTE;
    return colors[(index + plasma.shift) & 7];
}

fn shade(value: f32) -> vec3<f32> {
    let scaled = (value * 0.5 + 0.5) * 8.0;
    let low = i32(floor(scaled));
    return mix(pick(low), pick(low + 1), fract(scaled));
}

@vertex
fn vs_main(@location(0) position: vec2<f32>) -> @builtin(position) vec4<f32> {
    return vec4<f32>(position, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let p = pixel.xy * plasma.zoom;
    var v = sin(p.x + plasma.time);
    v += sin((p.y + plasma.time) * 0.5);
    v += sin((p.x + p.y + plasma.time) * 0.5);
    let c = p + vec2<f32>(sin(plasma.time * 0.33), cos(plasma.time * 0.5)) * 5.0;
    v += sin(sqrt(dot(c, c) + 1.0) + plasma.time);
    return vec4<f32>(shade(v * 0.25), 1.0);
}
