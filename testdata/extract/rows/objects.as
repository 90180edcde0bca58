// What objects know of their programs: registers of classes, constructors of subclasses, pools of registers, and proxies.
package {
    // A key that is a constant names one class, with the parameters of that call alone.
    public class Effects {
        private static var classes:Object = {};
        private var context:Context3D;

        public static function register():void {
            classes["bloom"] = Bloom;
            classes["blur"] = Blur;
        }

        public static function make(key:String, size:int):Effect { return new classes[key](size); }

        public function first():void { make("bloom", 3).upload(context); }
        public function second():void { make("blur", 5).upload(context); }
    }

    public class Effect {
        protected var size:int;
        public function Effect(size:int) { this.size = size; }

        public function upload(context:Context3D):void {
            context.createProgram().upload(
                new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc0\nmov v0, va1"),
                new AGALMiniAssembler().assemble("fragment", body()));
        }

        protected function body():String { throw new Error("override it"); }
    }

    public class Bloom extends Effect {
        public function Bloom(size:int) { super(size); }
        override protected function body():String { return "tex ft0, v0, fs0 <2d>\nmul oc, ft0, fc" + size; }
    }

    public class Blur extends Effect {
        public function Blur(size:int) { super(size); }
        override protected function body():String { return "tex ft0, v0, fs0 <2d>\nadd oc, ft0, fc" + size; }
    }

    // The classes below set the texts in their constructors, and this one uploads them.
    public class Base {
        protected var vertex:String;
        protected var fragment:String;

        public function upload(context:Context3D):void {
            context.createProgram().upload(
                new AGALMiniAssembler().assemble("vertex", vertex), new AGALMiniAssembler().assemble("fragment", fragment));
        }
    }

    public class Plain extends Base {
        public function Plain() {
            vertex = "m44 op, va0, vc1\nmov v1, va1";
            fragment = "mov oc, v1";
        }
    }

    public class Tinted extends Base {
        public function Tinted(isBright:Boolean) {
            vertex = "m44 op, va0, vc2\nmov v2, va1";
            fragment = isBright ? "add oc, v2, fc2" : "mul oc, v2, fc2";
        }
    }

    // Registers are taken from a list and given back to it.
    public class Pool {
        private var free:Array = ["ft0", "ft1", "ft2"];
        private var context:Context3D;

        private function take():String { return free.shift(); }
        private function give(register:String):void { free.push(register); }

        public function make():void {
            var one:String = take();
            var two:String = take();
            var code:String = "tex " + one + ", v3, fs0 <2d>\nmul " + two + ", " + one + ", fc0\n";
            give(one);
            code += "mov oc, " + two;
            context.createProgram().upload(
                new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc3\nmov v3, va1"),
                new AGALMiniAssembler().assemble("fragment", code));
        }
    }

    // A proxy gives what its method makes of a name.
    public class Registers extends Proxy {
        override flash_proxy function getProperty(name:*):* { return "ft" + String(name).substr(1); }
    }

    public class Proxied {
        private var registers:Registers = new Registers();

        public function make():void {
            new AGALMiniAssembler().assemble("fragment", "mov " + registers.t3 + ", v4\nmov oc, " + registers.t3);
        }
    }

    // The base class is not here; a class below it sets the text that it uploads. The engine's constant is not known.
    public class BaseEffect extends FilterEffect {
        protected var fragmentCode:String;
        protected var vertexCode:String;

        public function BaseEffect() { vertexCode = STANDARD_VERTEX; }

        override protected function createProgram():Program {
            fill();
            return Program.fromSource(vertexCode, fragmentCode);
        }

        protected function fill():void {}
    }

    public class Dots extends BaseEffect {
        override protected function fill():void { fragmentCode = "mul ft0, v6, fc0\nmov oc, ft0"; }
    }

    // A text of which words are replaced before it is assembled is no program; nor is one that code makes before its object is complete.
    public class Replaced {
        private static const CODE:String = "tex ft0, v7, fs0 <OPTIONS>\nmov oc, ft0";
        private var register:String;

        public function make(options:String):void {
            new AGALMiniAssembler().assemble("fragment", CODE.replace("OPTIONS", options == "" ? "2d" : "2d,linear"));
        }

        public function early():String { return "mul ft1, v7, " + null + ".x\nmov oc, ft1"; }
    }

    // No call is given both: they are the only two of their class.
    public class Apart {
        public static function vertexCode():ByteArray {
            return new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc5\nmov v5, va1");
        }

        public static function fragmentCode():ByteArray {
            return new AGALMiniAssembler().assemble("fragment", "mov oc, v5");
        }
    }
}
