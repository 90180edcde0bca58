var code:String = "mov oc, v0";
trace("mov oc, v1");
var other:String = names["mov oc, v2"];
