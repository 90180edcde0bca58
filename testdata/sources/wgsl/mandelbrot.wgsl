// Mandelbrot: escape times, smoothed with logarithms, with a test of the large bulbs first.
struct Zoom {
    center: vec2<f32>,
    radius: f32,
    aspect: f32,
    iterations: u32,
    hue: vec3<f32>,
}

@group(0) @binding(0) var<uniform> zoom: Zoom;

struct Rect {
    @builtin(position) position: vec4<f32>,
    @location(0) c: vec2<f32>,
}

@vertex
fn vs_main(@location(0) corner: vec2<f32>) -> Rect {
    let c = zoom.center + corner * vec2<f32>(zoom.aspect, 1.0) * zoom.radius;
    return Rect(vec4<f32>(corner, 0.0, 1.0), c);
}

fn never_escapes(c: vec2<f32>) -> bool {
    let x = c.x - 0.25;
    let q = x * x + c.y * c.y;
    if q * (q + x) <= 0.25 * c.y * c.y {
        return true;
    }
    let left = c + vec2<f32>(1.0, 0.0);
    return dot(left, left) <= 0.0625;
}

fn escape(c: vec2<f32>) -> f32 {
    if never_escapes(c) {
        return -1.0;
    }
    var z = vec2<f32>(0.0);
    var n = 0u;
    loop {
        z = vec2<f32>(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if dot(z, z) > 256.0 {
            return f32(n) + 1.0 - log2(log2(dot(z, z)) * 0.5);
        }
        continuing {
            n += 1u;
            break if n >= zoom.iterations;
        }
    }
    return -1.0;
}

@fragment
fn fs_main(in: Rect) -> @location(0) vec4<f32> {
    let n = escape(in.c);
    if n < 0.0 {
        return vec4<f32>(0.0, 0.0, 0.0, 1.0);
    }
    return vec4<f32>(0.5 + 0.5 * cos(n * 0.15 + zoom.hue), 1.0);
}
