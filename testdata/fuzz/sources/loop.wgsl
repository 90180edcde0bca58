@fragment fn f(@location(0) v: f32) -> @location(0) vec4f {
var s = v;
for (var i = 0; i < 4; i++) { if (s > 2) { break; } if (i == 1) { continue; } s += v; }
return vec4(s);
}
