var tint:String;
var code:String = "mov ft0, v0\n" + tint + "mov oc, ft0";
