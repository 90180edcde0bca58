var code:String = "mov oc, fc\x4\n" + "\ud83d // \u00a" + "\u{110000}";
