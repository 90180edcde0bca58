// Constants, concatenation, and the methods of strings.
package {
    public class Strings {
        private static const HEAD:String = "m44 op, va0, vc0\n";
        private var assembler:AGALMiniAssembler = new AGALMiniAssembler();

        private function fragment(code:String):void {
            assembler.assemble("fragment", code);
        }

        public function constant():void {
            assembler.assemble("vertex", HEAD + "mov v0, va1");
        }

        public function appended():void {
            var code:String = "mov ft0, v0\n";
            code += "mul ft0, ft0, fc0\n";
            code += "mov oc, ft0";
            fragment(code);
        }

        public function replaced():void {
            fragment("tex ft1, v0, fs0 <???>\nmov oc, ft1".replace("???", "2d,linear"));
        }

        public function patterns():void {
            fragment("mov   ft2,  v0\nmov oc, ft2".replace(/ +/g, " "));
        }

        public function cut():void {
            var code:String = "xxmov ft3, v0\nmov oc, ft3yy";
            fragment(code.substr(2, code.length - 4));
            fragment("mov ft4, v1\nmov oc, ft4, ".slice(0, -2));
            fragment("add ft4, v1, v1\nmov oc, ft4;;".substring(0, "add ft4, v1, v1\nmov oc, ft4;;".indexOf(";")));
        }

        public function letters():void {
            fragment("MOV FT5, V0\nMOV OC, FT5".toLowerCase());
            fragment("mov ft6, v0." + "xyzw".charAt(2) + "\nmov oc, ft6");
        }

        public function split():void {
            var lines:Array = "mov ft7, v0|mov oc, ft7".split("|");
            fragment(lines[0] + "\n" + lines[1]);
        }

        public function joined():void {
            fragment("sub ft0, v0, v1".concat("\n", "mov oc, ft0"));
        }
    }
}
