// The lists are declared elsewhere.
this.vertex.push("m44 op, va0, vc0");
this.vertex.push("mov v0, va1");
lines[lines.length] = "mul ft0, v0, fc0";
lines.push("mov oc, ft0");
lines.unshift("// tinted");
program.upload(vertex.join("\n"), lines.join("\n"));
