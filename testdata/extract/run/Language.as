// Each feature of the language takes part in a program: what is found tells whether it was compiled to what it means.
package run {
    import com.adobe.utils.AGALMiniAssembler;

    public class Language extends Base {
        private static const FLAGS:String = "<2d," + Names.FILTER + ">";
        private static var made:Array = ["mov ft0, fc0"];
        private var assembler:AGALMiniAssembler = new AGALMiniAssembler();
        private var lines:Vector.<String> = new <String>["mov vt0, va0"];

        made.push("mov oc, ft0");

        public function Language() { super("m44 op, vt0, vc0"); }

        public function statics():void { fragment(made.join("\n")); }

        public function inherited():void { vertex(lines[0] + "\n" + end + "\n" + suffix(1)); }

        public function loops():void {
            var code:String = "", i:int, n:int;
            for (i = 0, n = 3; i < n; ++i) { if (i == 1) continue; code += "mov ft" + i + ", fc" + i + "\n"; }
            while (n-- > 1) code += "add ft0, ft0, fc" + n + "\n";
            do { code += "mul ft0, ft0, fc" + i++ + "\n" } while (i < 5)
            outer: for each (var swizzle:String in ["x", "y"]) {
                for (var k:int = 0; k < 9; k++) {
                    if (k == 2) continue outer;
                    code += "mov ft1." + swizzle + ", fc" + k + "." + swizzle + "\n";
                }
            }
            fragment(code + "mov oc, ft0");
        }

        public function switches():void {
            fragment(op(1) + op(2) + op(3) + op(9) + "mov oc, ft0");
        }

        private function op(kind:int):String {
            var code:String = "";
            switch (kind) {
                case 1: code += "sqt ft0, fc0\n";
                case 2: code += "abs ft0, ft0\n"; break;
                default: return "nrm ft0.xyz, ft0\n";
                case 3: code = kind > 2 && !code ? "sat ft0, ft0\n" : "";
            }
            return code;
        }

        public function closures():void {
            var count:int = 0, out:Array = [];
            function add(name:String, source:String = "fc0"):void { out[out.length] = name + " ft0, " + source; count++; }
            var twice:Function = function (name:String):void { add(name); add(name, "fc" + count) };
            add("mov"); twice("neg");
            fragment(out.join("\n") + "\nmov oc, ft0");
        }

        public function guarded():void {
            var code:String;
            try { code = "tex ft0, v0, fs0 " + FLAGS; } catch (e:Error) { code = e.message; } finally { code += "\n"; }
            fragment(code + "mov oc, ft0");
        }

        public function assignments():void {
            var list:Array = ["mov", "rcp"], at:int = 0, table:Object = { a: " ft0, fc0" };
            list[at++] += table.a;
            list[at] = list[at] + table["a"] + (at << 1 | 1);
            var text:String = list[0] || "no";
            text += "\n" + list[1] + "\n";
            fragment(text.replace(/fc0/g, "fc7") + "mov oc, ft0");
        }

        public function accessors():void {
            register = "fc3";
            register += ".x";
            this.register += "y";
            fragment("mov oc, " + register);
        }

        private var stored:String;
        public function get register():String { return stored; }
        public function set register(value:String):void { stored = value; }

        private function vertex(code:String):void { assembler.assemble("vertex", code); }
        private function fragment(code:String):void { assembler.assemble("fragment", code); }
    }
}

class Names { internal static const FILTER:String = "linear"; }

class Base {
    protected var end:String;
    public function Base(end:String) { this.end = end; }
    protected function suffix(n:int, ...rest):String { return "mov v" + rest.length + ", va" + n; }
}
