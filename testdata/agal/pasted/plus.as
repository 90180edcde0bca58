"m44 op, va0, vc0\n" + // 4x4 matrix transform to clip space
"mov v0, va1\n" + /* the colour */
"mul v1, va2, vc4.zwzw"
