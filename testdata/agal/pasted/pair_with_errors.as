var vertex:String = "m44 op, va0, vc0\nmov v0, va1\n";
var fragment:String = "mov ft0, v0\n" + tint + "mov oc, ft0";
