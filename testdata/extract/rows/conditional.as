// Conditions of compilation, namespaces of a program, classes in blocks, and statements without semicolons.
package {
    import com.adobe.utils.AGALMiniAssembler;
    CONFIG::debug { import flash.debugger.enterDebugger; }

    CONFIG::gpu
    public class Conditional {
        CONFIG::debug private static const LEVEL:int = 3;
        CONFIG::debug {
            private var log:String = "";
            MY_NS function trace(text:String):void { log += text; }
        }
        CONFIG::air [Inline] public function platform():String { return "air"; }

        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        // A block is taken.
        public function taken():void {
            CONFIG::gpu {
                fragment(Slots.mov(0) + "mov oc, ft0");
            }
            CONFIG::gpu fragment("mov oc, fc1");
        }

        // Blocks that exclude each other are variants.
        public function excluded():void {
            CONFIG::debug { var code:String = "mov ft2, fc2\n"; }
            CONFIG::release { var code:String = "mov ft2, fc3\n"; }
            fragment(code + "mov oc, ft2");
            fragment(chosen() + "mov oc, ft4");
        }

        private function chosen():String {
            CONFIG::mobile { return "mov ft4, fc4\n"; }
            CONFIG::desktop { return "mov ft4, fc5\n"; }
        }

        public function asked():void {
            if (CONFIG::version2) fragment("mov oc, fc6") else fragment("mov oc, fc7")
        }

        MY_NS function named(pan:Number):void {
            if (pan > 1) pan = 1 else if (pan < -1) pan = -1;
            do pan++ while (pan < 0)
            fragment("mov oc, fc8");
        }

        public function called():void {
            fragment(MY_NS::own());
        }

        MY_NS static
        function own():String { return "mov oc, fc9"; }
    }
}

// ==========
//  Helper classes
{
    class Slots {
        public static function mov(number:int):String { return "mov ft" + number + ", fc0\n"; }
    }
    CONFIG::debug { class Logger {} }
}
