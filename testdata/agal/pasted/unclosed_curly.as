var code:String = “mov oc, v0
