code = code + "mul ft0, v0, fc0\n";
code += "mov oc, ft0\n";
