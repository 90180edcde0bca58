// Draws a dot on each layer of a picture and says how far each texel of a volume is from its middle.

struct Dot {
    centre: vec2<i32>,
    radius: i32,
}

@group(0) @binding(0) var<storage, read> dots: array<vec4<i32>>;
@group(0) @binding(1) var layers: texture_storage_2d_array<rgba32float, write>;
@group(1) @binding(0) var colours: texture_storage_2d<rgba16sint, read>;
@group(1) @binding(1) var distances: texture_storage_3d<r32uint, write>;

fn dot_of(layer: u32) -> Dot {
    let numbers = dots[layer];
    return Dot(numbers.xy, numbers.z);
}

fn covers(brush: Dot, at: vec2<i32>) -> bool {
    let way = at - brush.centre;
    return way.x * way.x + way.y * way.y <= brush.radius * brush.radius;
}

@compute @workgroup_size(4, 4, 2)
fn brush(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = vec2<i32>(place.xy);
    if place.z < textureNumLayers(layers) && all(place.xy < textureDimensions(layers)) {
        var colour = vec4<f32>(0.0, 0.0, 0.0, 1.0);
        if covers(dot_of(place.z), at) {
            colour = vec4<f32>(textureLoad(colours, vec2<u32>(place.z, 0u)));
        }
        textureStore(layers, at, place.z, colour);
    }
    let middle = vec3<i32>(textureDimensions(distances)) / 2;
    let way = abs(vec3<i32>(place) - middle);
    textureStore(distances, place, vec4<u32>(u32(way.x + way.y + way.z), 7u, 7u, 7u));
}
