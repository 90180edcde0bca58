code = "m44 " + vertexTemp + ", va0, vc0\n" +
	getUVCode(1) +
	"mov v0, " + this._registers.uv[0] + "\n";
if (isAnimated) code += "mov v1, va1\n";
code += mode == 1 ? "mov v2, va2" : "mov v2, va3";
