// Loops with known bounds, and one whose number of rounds is not known.
package {
    public class Loops {
        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function counted():void {
            var code:String = "";
            for (var i:int = 0; i < 3; i++) code += "mov ft" + i + ", fc" + i + "\n";
            fragment(code + "mov oc, ft0");
        }

        public function whiled():void {
            var code:String = "";
            var left:int = 2;
            while (left > 0) {
                code += "add ft0, ft0, fc" + left + "\n";
                left--;
            }
            fragment(code + "mov oc, ft0");
        }

        public function nested():void {
            var code:String = "";
            for (var row:int = 0; row < 2; row++) {
                for (var column:int = 0; column < 2; column++) {
                    if (row == 1 && column == 1) continue;
                    code += "mov ft" + row + "." + "xy".charAt(column) + ", fc0.x\n";
                }
            }
            fragment(code + "mov oc, ft0");
        }

        public function keys():void {
            var names:Object = {ft2: 1};
            for (var name:String in names) fragment("mov " + name + ", v" + names[name] + "\nmov oc, " + name);
        }

        public function unknown(count:int):void {
            var code:String = "mov ft3, v0\n";
            for (var i:int = 0; i < count; i++) code += "add ft3, ft3, fc" + i + "\n";
            fragment(code + "mov oc, ft3");
        }
    }
}
