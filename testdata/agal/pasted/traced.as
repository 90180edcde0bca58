var vertexCode:String = "m44 op, va0, vc0\n" + "mov v0, va1";
var fragmentCode:String = "mov oc, v0";
trace(vertexCode);
trace("the fragment program:\n" + fragmentCode);
upload(assembler.assemble(Context3DProgramType.VERTEX, vertexCode), assembler.assemble(Context3DProgramType.FRAGMENT, fragmentCode));
