var scale = 4;
final vertexSource = 'm44 op, va0, vc0
	mov vt0, va1
	mul vt0, vt0, vc$scale
	mov v0, vt0
	mov v1, vc${scale}
';
