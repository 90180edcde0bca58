code = "m44 op, va0, vc0\n" +
	"mov v0, va1\n" + "\tmvo v1, va2\n" +
	"mul v2, va2";
