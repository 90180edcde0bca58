program = AGALHelper.fromSource(context,
	"m44 op, va0, vc0\n" + "mov v0, va1",
	"tex oc, v0, fs0 <2d,repeat>"
);
