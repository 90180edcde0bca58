blah blah
var vertex:String = "mov op, va0";
var fragment:String = "mov oc, fc0";
