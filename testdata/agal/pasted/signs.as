count -= 1;
mask = 1 << 2 | count >> 1;
var lists:Vector.<Vector.<String>> = null;
var code:String = "mov ft0, v0\n";
code += "mov oc, ft0";
