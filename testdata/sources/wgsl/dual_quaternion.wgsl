// Dual quaternion skinning: two bones blended without loss of volume, in a loop over a local array.
struct Joint {
    real: vec4<f32>,
    dual: vec4<f32>,
}

struct Rig {
    joints: array<Joint, 32>,
    clip: mat4x4<f32>,
}

@group(0) @binding(0) var<uniform> rig: Rig;

fn rotate(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

fn blend(indices: vec2<i32>, weight: f32) -> Joint {
    var weights = array<f32, 2>(weight, 1.0 - weight);
    var sum = Joint(vec4<f32>(), vec4<f32>());
    let first = rig.joints[indices.x].real;
    for (var i = 0; i < 2; i += 1) {
        let joint = rig.joints[indices[i]];
        var w = weights[i];
        if dot(joint.real, first) < 0.0 {
            w = -w;
        }
        sum.real += joint.real * w;
        sum.dual += joint.dual * w;
    }
    let size = 1.0 / length(sum.real);
    sum.real *= size;
    sum.dual *= size;
    return sum;
}

struct Output {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) @interpolate(flat) bone: i32,
}

@vertex
fn vs_main(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) bones: vec2<i32>, @location(3) weight: f32) -> Output {
    let q = blend(bones, weight);
    let shift = 2.0 * (q.real.w * q.dual.xyz - q.dual.w * q.real.xyz + cross(q.real.xyz, q.dual.xyz));
    let moved = rotate(q.real, position) + shift;
    return Output(rig.clip * vec4<f32>(moved, 1.0), rotate(q.real, normal), select(bones.y, bones.x, weight >= 0.5));
}

@fragment
fn fs_main(in: Output) -> @location(0) vec4<f32> {
    let hue = vec3<f32>(f32(in.bone & 1), f32((in.bone >> 1) & 1), f32((in.bone >> 2) & 1));
    return vec4<f32>(mix(vec3<f32>(0.5), hue, 0.3) * (0.6 + 0.4 * normalize(in.normal).y), 1.0);
}
