This is the final version of the shader for my game, please help!
code =
  "mul ft0, v0, fc0\n" +
  "mov oc, ft0\n";
12
It is dark: why?
