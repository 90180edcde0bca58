// Functions in functions, and exceptions.
package {
    public class Functions {
        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function closure():void {
            var register:String = "ft0";
            var line:Function = function(constant:int):String {
                return "add " + register + ", " + register + ", fc" + constant + "\n";
            };
            fragment("mov ft0, v0\n" + line(1) + line(2) + "mov oc, ft0");
        }

        public function later(loader:Object):void {
            var code:String = "mov ft1, v0\nmov oc, ft1";
            loader.addEventListener("complete", function(event:Object):void {
                fragment(code);
            });
        }

        public function caught(context:Object):void {
            var code:String = "mov ft2, v0\n";
            try {
                context.configure();
                code += "mul ft2, ft2, fc2\n";
            } catch (error:Error) {
                code += "neg ft2, ft2\n";
            }
            fragment(code + "mov oc, ft2");
        }

        public function thrown(kind:int):void {
            if (kind > 1) throw new Error("mov oc, nothing");
            fragment("mov ft3, v0\nmov oc, ft3");
        }
    }
}
