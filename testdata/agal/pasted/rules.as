assembler.assemble(Context3DProgramType.FRAGMENT, "mov ft0.xyz, v0.xyz\n" +
	"mov oc, ft0\n");
