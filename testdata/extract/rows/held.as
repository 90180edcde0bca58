// Arrays and objects that fields hold: what is known of them, and what other code may have changed.
package {
    public class Held {
        private var methods:Vector.<Method> = new Vector.<Method>();
        private var grown:Array = ["mov ft2, fc2\n"];
        private var changed:Array = ["mov ft2, fc3\n"];
        private var fixed:Array = ["mov ft3, fc4\n"];
        private var names:Object = {a: "mov ft4, fc5\n"};
        private static const ALL:Array = ["mov ft5, fc6\n", "mov ft6, fc7\n"];
        private static const LINES:Vector.<String> = new <String>["mov ft0, v5", "mov oc, ft0"];

        public function add(method:Method):void { methods.push(method); }
        public function grow(code:String):void { grown.push(code); }
        public function change(code:String, at:int):void { changed[at] = code; }
        public function name(code:String):void { names.a = code; }

        private function show(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }

        // The elements of a vector have its type: one variant for each class of which there are objects.
        public function first():void {
            show("mov ft0, v0\n" + methods[0].code());
        }

        public function last():void {
            show("mov ft0, v1\n" + methods.pop().code());
        }

        // What is added is not known; what was there is.
        public function more():void {
            show("mov ft0, v2\n" + grown.join("") + fixed.join("") + ALL.join(""));
        }

        // Any of it may be another line now.
        public function others():void {
            show("mov ft0, v3\n" + changed.join("") + names.a);
        }

        // A loop that is left by a condition in its middle.
        public function rounds(n:int):void {
            var code:String = "mov ft0, v4\n";
            while (true) {
                code += "add ft0, ft0, fc7\n";
                if (n < 3) {
                    code += "mul ft0, ft0, fc8\n";
                    break;
                }
                n = outside(n);
            }
            show(code);
        }
    }
}

class Method {
    public function code():String { return ""; }
}

class Fog extends Method {
    override public function code():String { return "mul ft0, ft0, fc0\n"; }
}

class Rim extends Method {
    override public function code():String { return "add ft0, ft0, fc1\n"; }
}
