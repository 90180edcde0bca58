// Texts that no call takes are pieces, unless they are parts of programs, with unknown parts standing for anything.
package {
    public class Parts {
        public function whole():void {
            new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc0\nmov v0, va1\nmov v1, va2.x\n");
        }

        // Parts of that program: these are not found.
        public function line():String { return "mov  v0,  va1"; }
        public function lines(x:String, y:String):String { return "mov " + x + ", va1\nmov v1, " + y; }
        public function end(x:String):String { return x + "\nmov v1, va2.x"; }
        public function ends(x:String):String { return "m44 op, va0, vc0\n" + x + "\nmov v1, va2.x"; }
        public function words(x:String, y:String):String { return "mov " + x + ", " + y + ".x"; }

        // None of it has these lines, or none has them one after the other.
        public function other():String { return "mov v0, va3"; }
        public function apart():String { return "m44 op, va0, vc0\nmov v1, va2.x"; }
        public function component(x:String, y:String):String { return "mov " + x + ", " + y + ".y"; }

        // A program with an unknown line is the one in which that is known, if one call is given both.
        public function both(x:String):void {
            for each (var line:String in [x, "mov ft1, v0"]) {
                new AGALMiniAssembler().assemble("fragment", "mov ft0, v0\n" + line + "\nmov oc, ft0");
            }
        }

        // It is not if what is known of the line does not fit.
        public function different(x:String):void {
            for each (var line:String in ["mov ft2, " + x, "mov ft3, v0"]) {
                new AGALMiniAssembler().assemble("fragment", "mov ft0, v1\n" + line + "\nmov oc, ft0");
            }
        }

        public function many():void {
            var code:String = "";
            for (var i:int = 0; i < 60; i++) code += "add ft0, ft0, ft1\n";
            new AGALMiniAssembler().assemble("fragment", code);
        }

        // A line that is not known may be any number of lines. To try them all would take for ever.
        public function between(x:String):String {
            var code:String = "";
            for (var i:int = 0; i < 30; i++) code += x + "\nadd ft0, ft0, ft1\n";
            return code;
        }

        public function more(x:String):String {
            var code:String = "";
            for (var i:int = 0; i < 30; i++) code += x + "\nadd ft0, ft0, ft1\n";
            return code + "mov oc, ft0";
        }
    }
}
