static var SHADERS = {
	vertex: "m44 op, va0, vc0\n" + "mov v0, va1",
	fragment: ["mul ft0, v0, fc0", "mov oc, ft0"].join("\n"),
};
