// Materials that a base class assembles and the classes below it fill, as engines have them.
package {
    public class Pass {
        protected var sources:Vector.<String> = Vector.<String>(["va0"]);
        protected var targets:Vector.<String> = Vector.<String>(["vt0"]);
        private var shader:Shader;

        // The lists are those of the class of the pass, whatever other classes do with lists of the same names.
        public function update():void {
            var vertex:String = "";
            for (var i:int = 0; i < sources.length; i++) vertex += "mov " + targets[i] + ", " + sources[i] + "\n";
            shader = Shader.make(vertex + body(), "mov oc, fc0");
        }

        protected function body():String { throw new Error("override it"); }
    }

    public class DepthPass extends Pass {
        override protected function body():String { return "m44 op, vt0, vc0"; }
    }

    public class OutlinePass extends Pass {
        private var table:Object;
        private var bias:String = "vc4";

        // The condition has nothing to do with the lists; the bias is one of two.
        public function OutlinePass(isShared:Boolean, isWide:Boolean) {
            if (isShared) table = {};
            if (isWide) bias = "vc5";
            sources = Vector.<String>(["va0", "va1"]);
            targets = Vector.<String>(["vt0", "vt1"]);
        }

        override protected function body():String {
            return "mul vt1, vt1, " + bias + ".x\nadd vt0, vt0, vt1\nm44 op, vt0, vc0";
        }
    }

    // A pass whose class decides which class compiles it.
    public class CompiledPass extends Pass {
        protected var code:String;

        override public function update():void {
            var compiler:Compiler = createCompiler();
            compiler.compile();
            code = compiler.code;
            sources = compiler.sources;
            super.update();
        }

        protected function createCompiler():Compiler { throw new Error("override it"); }

        override protected function body():String { return code; }
    }

    public class LitPass extends CompiledPass {
        override protected function createCompiler():Compiler { return new LitCompiler(); }
    }

    public class FlatPass extends CompiledPass {
        override protected function createCompiler():Compiler { return new FlatCompiler(); }
    }

    public class Compiler {
        public var code:String = "";
        public var sources:Vector.<String>;
        protected var targets:Vector.<String>;

        public function compile():void {
            sources = Vector.<String>(["va0"]);
            targets = Vector.<String>(["vt0"]);
            code += "m44 op, vt0, vc0\n";
            shade();
            code += "mov v7, va7";
        }

        protected function shade():void {}
    }

    public class LitCompiler extends Compiler {
        override protected function shade():void {
            targets.push("vt1");
            code += "dp3 v0, va0, vc5\n";
        }
    }

    public class FlatCompiler extends Compiler {
        override protected function shade():void { code += "mov v0, vc6\n"; }
    }

    // It keeps both programs until there is a context, and is given them together.
    public class Shader {
        private var vertex:ByteArray;
        private var fragment:ByteArray;
        private var program:Program3D;

        public function Shader(vertex:ByteArray, fragment:ByteArray) {
            this.vertex = vertex;
            this.fragment = fragment;
        }

        public static function make(vertex:String, fragment:String):Shader {
            var assembler:AGALMiniAssembler = new AGALMiniAssembler();
            return new Shader(assembler.assemble("vertex", vertex), assembler.assemble("fragment", fragment));
        }

        public function activate(context:Context3D):void {
            program = context.createProgram();
            program.upload(vertex, fragment);
        }
    }
}
