assembler.assemble("vertex", "mov op, va0");
assembler.assemble("fragment", "mov oc, v0");
assembler.assemble("fragment", "mov oc, fc0");
