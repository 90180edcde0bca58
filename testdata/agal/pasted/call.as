// From the documentation of an assembler.
var vertexShaderAssembler:AGALMiniAssembler = new AGALMiniAssembler();
vertexShaderAssembler.assemble(Context3DProgramType.VERTEX,
	"m44 op, va0, vc0\n" +
	"mov v0, va1"
);

var fragmentShaderAssembler : AGALMiniAssembler = new AGALMiniAssembler( false );
fragmentShaderAssembler.assemble(Context3DProgramType.FRAGMENT,
	"tex ft0, v0, fs0 <2d,linear,nomip>\n" +
	"mul ft0, ft0, fc0\r\n" +
	"mov oc, ft0"
);
program.upload(vertexShaderAssembler.agalcode, fragmentShaderAssembler.agalcode);
