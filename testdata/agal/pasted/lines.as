var code:String = "";
code += "mov ft0, v0\n";
code += "mul ft0, ft0, fc" + 2 + ".x\n"; // the factor
code += "add ft" + (0 + 1) + ", ft0, fc1\n";
code += "mov oc, ft1\n";
return code;
