@group(0) @binding(0) var<uniform> u: vec4f;
@fragment fn f() -> @location(0) vec4f { return u; }
