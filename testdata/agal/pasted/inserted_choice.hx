var frag = '
  tex ft0, v0, fs0 <2d,${smooth ? "linear" : "nearest"}>
  mov oc, ft0
';
