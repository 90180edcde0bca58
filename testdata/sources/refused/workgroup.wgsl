var<workgroup> seen: array<f32, 4>; //~ SDLSHADERBC has no workgroup variables of vertex and fragment functions, such as `seen`
var<workgroup> meant: array<f32, 4>;

@vertex
fn place(@builtin(vertex_index) number: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(seen[number]);
}

@compute @workgroup_size(4)
fn count(@builtin(local_invocation_index) lane: u32) {
    meant[lane] = 1.0;
}
