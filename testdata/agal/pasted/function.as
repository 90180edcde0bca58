private function initShader():void
{
	var assembler:AGALMiniAssembler = new AGALMiniAssembler();
	assembler.assemble
		(
			Context3DProgramType.VERTEX,
			"m44 op va0 vc0\n" +
			"mov v0, va1\n"
		, 2);
	// The other one.
	var fragmentAssembler:AGALMiniAssembler = new AGALMiniAssembler();
	var code:String = "mul ft0, v0, fc0\n";
	code += "mov oc, ft0\n";
	fragmentAssembler.assemble(Context3DProgramType.FRAGMENT, code, 2);
	program = context.createProgram();
	program.upload(assembler.agalcode, fragmentAssembler.agalcode);
}
