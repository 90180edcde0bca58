Vertex shader:
"m44 op, va0, vc0\n" +
"mov v0, va1"

fragment shader
"mov oc, v0"
