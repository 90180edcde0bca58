// größe – 日本語 😀
code += "mov ft0, v0 // été\n" + "mov oc, ft0";
