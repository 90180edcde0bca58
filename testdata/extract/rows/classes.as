// Calls that are resolved by class: overriding methods, interfaces, super, getters, constructors and static fields.
package {
    public class Classes {
        private static var common:String = "mov oc, ft0";

        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function virtual(effect:Effect):void {
            fragment("mov ft0, v0\n" + effect.code() + common);
        }

        public function known():void {
            fragment("mov ft1, v0\n" + new Tint("ft1").code() + "mov oc, ft1");
        }

        public function accessor():void {
            var tint:Tint = new Tint("ft2");
            tint.index = 3;
            fragment("mov ft2, v0\n" + tint.line + "mov oc, ft2");
        }

        public function through(named:Named):void {
            fragment("mov ft3, " + named.register() + "\nmov oc, ft3");
        }

        public function defaults():void {
            fragment(line() + line("ft5") + rest("mov ft4, ft5", "mov oc, ft4"));
        }

        private function line(register:String = "ft4", constant:int = 2):String {
            return "mov " + register + ", fc" + constant + "\n";
        }

        private function rest(...lines):String {
            return lines.join("\n");
        }
    }
}

interface Named {
    function register():String;
}

class Effect {
    public function code():String {
        return "mul ft0, ft0, fc0\n";
    }
}

class Tint extends Effect {
    private var register:String;
    private var number:int = 1;

    public function Tint(register:String = "ft0") {
        this.register = register;
    }

    override public function code():String {
        return super.code() + "add " + register + ", " + register + ", fc1\n";
    }

    public function set index(value:int):void {
        number = value;
    }

    public function get line():String {
        return "sub " + register + ", " + register + ", fc" + number + "\n";
    }
}

class Varying implements Named {
    public function register():String {
        return "v7";
    }
}
