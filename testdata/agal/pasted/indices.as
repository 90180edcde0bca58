var agal:Array = [];
var i:int;
agal[0] = "m44 op, va0, vc0";
agal[i++] = "mov v0, va1";
