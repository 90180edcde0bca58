var code:String = "tex ft0, v0, fs0 <2d," + (wrap ? "repeat" : "clamp") + ">\n";
code += tint || "mul ft0, ft0, fc0\n";
code += ["mov oc, ft0", "mov oc, ft1"][index];
var fragment:String = "tex oc, v0, fs0 <FLAGS>".replace("FLAGS", flags);
var other:String = isFlat ? "mov oc, fc0" : "mov oc, v0";
var third:String = template.replace("#", "mov oc, v0");
var fourth:String = lines.join("\n") + "mov oc, ft0";
var fifth:String = "mov oc, fc" + 4 * 2 + "\n mov ft0, fc" + 4 * index + -index;
