// The life of an object: a method uploads what another one has assembled or set before.
package {
    // The constructor assembles, and a handler uploads.
    public class Created {
        private var vertex:AGALMiniAssembler = new AGALMiniAssembler();
        private var fragment:AGALMiniAssembler = new AGALMiniAssembler();
        private var context:Context3D;

        // The first assemblers have a flag in the place of the version.
        public function Created() {
            vertex.assemble("vertex", "m44 op, va0, vc0\nmov v0, va1", false);
            fragment.assemble("fragment", "mov oc, v0", true);
        }

        private function created(event:Object):void {
            context.createProgram().upload(vertex.agalcode, fragment.agalcode);
        }
    }

    // A method assembles into the fields that the constructor has filled.
    public class Prepared {
        private var vertex:AGALMiniAssembler = new AGALMiniAssembler();
        private var fragment:AGALMiniAssembler = new AGALMiniAssembler();
        private var context:Context3D;

        public function prepare():void {
            vertex.assemble("vertex", "m44 op, va0, vc1\nmov v1, va1");
            fragment.assemble("fragment", "mov oc, v1");
        }

        private function created(event:Object):void {
            context.createProgram().upload(vertex.agalcode, fragment.agalcode);
        }
    }

    // One of two methods has set the field.
    public class Chosen {
        private var vertex:ByteArray;
        private var fragment:ByteArray;
        private var context:Context3D;

        public function plain():void {
            vertex = new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc2\nmov v2, va1");
            fragment = new AGALMiniAssembler().assemble("fragment", "mov oc, v2");
        }

        public function tinted():void {
            vertex = new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc2\nmov v2, va1");
            fragment = new AGALMiniAssembler().assemble("fragment", "mul oc, v2, fc0");
        }

        private function created(event:Object):void {
            context.createProgram().upload(vertex, fragment);
        }
    }

    // The object is given its texts by the code that makes it, and uploads them later.
    public class Given {
        private var vertex:String;
        private var fragment:String;

        public function Given(vertex:String, fragment:String) {
            this.vertex = vertex;
            this.fragment = fragment;
        }

        public function upload(context:Context3D):void {
            var assembler:AGALMiniAssembler = new AGALMiniAssembler();
            context.createProgram().upload(
                assembler.assemble("vertex", vertex), assembler.assemble("fragment", fragment));
        }
    }

    public class Giver {
        private var all:Array = [];

        public function fill():void {
            all.push(new Given("m44 op, va0, vc3\nmov v3, va1", "mov oc, v3"));
            all.push(new Given("m44 op, va0, vc4\nmov v4, va1", "mov oc, v4"));
        }
    }

    // A getter gives one value for one object, whatever its class is; the one of the base class does nothing but throw.
    public class Texture {
        public function get format():String { throw new Error("override it"); }
    }

    public class Concrete extends Texture {
        private var own:String;
        public function Concrete(format:String) { own = format; }
        override public function get format():String { return own; }
    }

    public class Part extends Texture {
        private var parent:Texture;
        public function Part(parent:Texture) { this.parent = parent; }
        override public function get format():String { return parent.format; }
    }

    public class Layers {
        private var texture:Texture;
        public function set image(value:Texture):void { texture = value; }

        private function layer(register:String):String {
            var format:String = texture.format == "compressed" ? ",dxt1" : "";
            return "tex " + register + ", v0, fs0 <2d" + format + ">\n";
        }

        public function draw(other:Object):void {
            // Conditions that do not change the text are not told.
            if (other.isVisible) other.show();
            if (other.isOpen) other.close();
            new AGALMiniAssembler().assemble("fragment", layer("ft0") + layer("ft1") + "add oc, ft0, ft1");
        }
    }

    // Loops before a program: long lists, and code that has nothing to do with it.
    public class Mesh {
        public function make(context:Context3D):void {
            var list:Vector.<uint> = new Vector.<uint>();
            for (var i:int = 0; i < 20000; i++) list.push(i * 4, i * 4 + 1, i * 4 + 2);
            if (list.length > 50000) new AGALMiniAssembler().assemble("fragment", "mov oc, v7");
            for (var j:int = 0; j < 300; j++) for (var k:int = 0; k < 300; k++) list[k] = parse(j);
            context.createProgram().upload(
                new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc5\nmov v5, va1"),
                new AGALMiniAssembler().assemble("fragment", "mov oc, v5"));
        }

        private function parse(number:int):uint {
            var sum:uint = 0;
            for (var i:int = 0; i < 1000000; i++) sum += i * number;
            return sum;
        }
    }

    // A table of opcodes is no program; a line with a typing error is one of its program.
    public class Opcodes {
        private static const TABLE:Object = {mov: 1, els: 2, eif: 3};
        private var code:String;

        public function names():Array { return ["els", "eif"]; }

        public function Opcodes() {
            code = "frc ft1, v6\nsub ft0, v6, ft1\nadd ft0.xy, ft1,xy, fc1.zw\nmul ft0, ft0, fc1\ntex oc, ft0, fs0 <2d>";
        }
    }
}
