new Shader().vertex("m44 op, va0, vc0\nmov v0, va1").fragment("mov oc, v0").upload(context);
