// Water: a sum of Gerstner waves in the vertex stage, and a Fresnel reflection of a sky cube.
struct Wave {
    direction: vec2<f32>,
    length: f32,
    steepness: f32,
}

struct Water {
    view_projection: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
    deep: vec3<f32>,
    roughness: f32,
    waves: array<Wave, 4>,
}

@group(0) @binding(0) var<uniform> water: Water;
@group(0) @binding(1) var sky: texture_cube<f32>;
@group(0) @binding(2) var sky_sampler: sampler;

struct Surface {
    @builtin(position) position: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
}

fn gerstner(wave: Wave, p: vec2<f32>, tangent: ptr<function, vec3<f32>>, binormal: ptr<function, vec3<f32>>) -> vec3<f32> {
    if wave.steepness <= 0.0 {
        return vec3<f32>(0.0);
    }
    let k = 6.2831853 / wave.length;
    let d = normalize(wave.direction);
    let f = k * (dot(d, p) - sqrt(9.8 / k) * water.time);
    let a = wave.steepness / k;
    let s = wave.steepness * sin(f);
    let c = wave.steepness * cos(f);
    *tangent += vec3<f32>(-d.x * d.x * s, d.x * c, -d.x * d.y * s);
    *binormal += vec3<f32>(-d.x * d.y * s, d.y * c, -d.y * d.y * s);
    return vec3<f32>(d.x * a * cos(f), a * sin(f), d.y * a * cos(f));
}

@vertex
fn vs_main(@location(0) grid: vec2<f32>) -> Surface {
    var p = vec3<f32>(grid.x, 0.0, grid.y);
    var tangent = vec3<f32>(1.0, 0.0, 0.0);
    var binormal = vec3<f32>(0.0, 0.0, 1.0);
    for (var i = 0u; i < 4u; i++) {
        p += gerstner(water.waves[i], grid, &tangent, &binormal);
    }
    var out: Surface;
    out.world = p;
    out.normal = cross(binormal, tangent);
    out.position = water.view_projection * vec4<f32>(p, 1.0);
    return out;
}

@fragment
fn fs_main(in: Surface) -> @location(0) vec4<f32> {
    let n = normalize(in.normal);
    let v = normalize(in.world - water.eye);
    var r = reflect(v, n);
    r.y = abs(r.y);
    let fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(-v, n), 0.0), 5.0);
    let mirrored = textureSampleLevel(sky, sky_sampler, r, water.roughness * 6.0).rgb;
    return vec4<f32>(mix(water.deep, mirrored, fresnel), 0.9);
}
