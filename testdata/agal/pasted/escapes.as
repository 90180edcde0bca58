// Escapes with digits: a line end, letters and spaces.
var code:String = "mov ft0, v0\x0aadd\x20ft0, ft0, v0\u000a" + '\u{6d}ov oc, ft0';
