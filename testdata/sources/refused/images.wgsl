@group(0) @binding(0) var both: texture_storage_2d<r32uint, read_write>; //~ SDLSHADERBC has no storage textures that are both read and written, such as `both`
@group(0) @binding(1) var other: texture_storage_2d<bgra8unorm, write>; //~ SDLSHADERBC has no type `texture_storage_2d<bgra8unorm,write>`
@group(0) @binding(2) var line: texture_storage_1d<rgba8unorm, write>; //~ SDLSHADERBC has no type `texture_storage_1d<rgba8unorm,write>`
@group(0) @binding(3) var written: texture_storage_2d<r32uint, read_write>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    textureStore(both, place.xy, textureLoad(both, place.xy) + vec4<u32>(1u));
    textureStore(other, place.xy, vec4<f32>(1.0));
    textureStore(line, place.x, vec4<f32>(1.0));
    textureStore(written, place.xy, vec4<u32>(place.x));
}
