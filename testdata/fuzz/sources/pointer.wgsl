fn g(p: ptr<function, vec2f>) -> bool { if ((*p).x > 1) { return true; } (*p).y = 2; return false; }
@fragment fn f(@location(0) v: vec2f) -> @location(0) vec4f { var w = v; let b = g(&w); return vec4(w, f32(b), 1); }
