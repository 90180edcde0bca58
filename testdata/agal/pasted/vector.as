protected const _lines : Vector.<String> = new <String>["m44 op, va0, vc0"];
_lines.push("mov v0, va1", 'mov v1, va2');
_lines.push("mov v2, va3");
