var code:String = “mov oc, fc0”;
