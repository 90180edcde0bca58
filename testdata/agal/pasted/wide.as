/* größer 中文 😀 */ var größe:String = "mov ft0, v0\n"; größe += "mov ft1, 😀\n" + "mul oc, ft0, ft0"; 
