static alternativa3d const tintVertexProcedure:Procedure = new Procedure([
	// Declarations
	"#a0=aPosition",
	"#a1=aUV",
	"#v0=vUV",
	"#c0=cProjection",
	"m44 o0 a0 c0",
	"mov v0, a1"
], "tintVertexProcedure");

static alternativa3d const tintProcedure:Procedure = new Procedure([
	"#v0=vUV",
	"#s0=sDiffuse",
	"#c0=cTint",
	"tex t0, v0, s0 <2d, repeat, linear, miplinear>",
	"t0 = t0 * c0",
	"mov o0, t0"
], "tintProcedure");
