macroAssembler.assemble(Context3DProgramType.FRAGMENT,
	"alias fc0, CONST(0.5, 1)\n" +
	"alias v0, uv\n" +
	"ft0 = tex<2d,linear>(uv, fs0)\n" +
	"oc = ft0 * 0.5\n");
