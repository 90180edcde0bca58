var code = 'mov ft0, v0
mul oc, ft0, $tint.x
';
