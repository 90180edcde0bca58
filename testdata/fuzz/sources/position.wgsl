@vertex fn f(@location(0) p: vec3f) -> @builtin(position) vec4f { return vec4(p, 1); }
