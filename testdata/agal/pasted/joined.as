var lines:Array = ["mul ft0, v0, fc" + 2 * 3];
lines.push("mov oc, ft0");
var code:String = lines.join("\n");
