[Bindable]
[Inspectable(category = "Shader", type = "String")]
public var code:String = "mov oc, v0";
