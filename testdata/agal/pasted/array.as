private static const FRAGMENT_SHADER:String = [
	"tex ft0, v0, fs0 <2d,clamp,linear>",
	// "mul ft0, ft0, fc1",
	"mul ft0, ft0, fc0",
	"mov oc, ft0",
].join("\n");
