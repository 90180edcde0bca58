trace("compiling");
try {
    program.upload(asm.assemble("vertex", "mov op, va0"), asm.assemble("fragment", "mov oc, fc0"));
} catch (e:Error) { trace(e); }
