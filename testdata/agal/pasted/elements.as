	"m44 op, va0, vc0",
	"mov v0, va1",
