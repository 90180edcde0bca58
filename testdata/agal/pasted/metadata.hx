@:keep @:native("SHADER")
@:isVar
public static inline var SHADER:String = "mov oc, v0";
