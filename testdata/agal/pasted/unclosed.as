code = "mov op, va0\n" +
	"mov v0, va1;
