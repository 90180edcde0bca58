@fragment fn f(@location(0) @interpolate(flat) k: i32) -> @location(0) vec4f {
var s = 0.0;
switch k { case 1, 2: { s = 1; } default: { discard; } }
return vec4(s);
}
