// Conditions that depend on each other by their numbers and types: only variants that can be.
package {
    public class Facts {
        public var p:int;
        public var q:int;
        public var u:uint;
        public var n:Number;
        public var s:String;
        public var x:*;
        public var node:Node;
        public var texture:Texture;

        public function change(a:int, b:int, c:uint, d:Number, e:String, f:*, g:Node, h:Texture):void {
            p = a; q = b; u = c; n = d; s = e; x = f; node = g; texture = h;
        }

        private function show(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }

        // One is less than the other, or the other is, or they are equal: three.
        public function order():void {
            var code:String = "mov ft0, fc0\n";
            if (p < q) code += "add ft0, ft0, fc1\n";
            if (q < p) code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // No whole number is between 0 and 1: no variant with both.
        public function between():void {
            var code:String = "mov ft0, fc3\n";
            if (p > 0) { if (p < 1) code += "add ft0, ft0, fc1\n"; }
            show(code);
        }

        // A number without a sign is never less than 0.
        public function unsigned():void {
            var code:String = "mov ft0, fc4\n";
            if (u < 0) code += "add ft0, ft0, fc1\n";
            show(code);
        }

        // Of what is 0, no bit is set: three.
        public function bits():void {
            var code:String = "mov ft0, fc5\n";
            if (u & 1) code += "add ft0, ft0, fc1\n";
            if (u == 0) code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // If both are equal, and one is 1, the other is not 2.
        public function equal():void {
            var code:String = "mov ft0, fc6\n";
            if (p == q) {
                code += "add ft0, ft0, fc1\n";
                if (p == 1) {
                    code += "add ft0, ft0, fc2\n";
                    if (q == 2) code += "add ft0, ft0, fc3\n";
                }
            }
            show(code);
        }

        // An empty text has no length, and nothing is found in it.
        public function texts():void {
            var code:String = "mov ft0, fc7\n";
            if (s == "") {
                if (s.length > 0) code += "add ft0, ft0, fc1\n";
                if (s.indexOf("2d") >= 0) code += "add ft0, ft0, fc2\n";
            }
            show(code);
        }

        // What is of one class is not of another one beside it.
        public function types():void {
            var code:String = "mov ft0, fc8\n";
            if (x is Leaf) {
                code += "add ft0, ft0, fc1\n";
                if (x is Node) code += "add ft0, ft0, fc2\n";
                if (x is Texture) code += "add ft0, ft0, fc3\n";
            }
            show(code);
        }

        // A texture that is null has no format: this path ends there.
        public function nothing():void {
            var code:String = "mov ft0, fc9\n";
            if (texture == null) code += "add ft0, ft0, fc1\n";
            if (texture.format == "compressed") code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // And what has a format is not null afterwards.
        public function used():void {
            var code:String = "mov ft0, fc10\n";
            if (texture.format == "compressed") code += "add ft0, ft0, fc2\n";
            if (texture == null) code += "add ft0, ft0, fc1\n";
            show(code);
        }

        // Undefined is null by ==, and not by ===.
        public function strict():void {
            var code:String = "mov ft0, fc11\n";
            if (x == null) {
                code += "add ft0, ft0, fc1\n";
                if (x === undefined) code += "add ft0, ft0, fc2\n";
            }
            show(code);
        }

        // The remainder of a division by 2.
        public function remainder():void {
            var code:String = "mov ft0, fc12\n";
            if (u % 2 == 0) code += "add ft0, ft0, fc1\n";
            if (u % 2 == 1) code += "add ft0, ft0, fc2\n";
            if (u % 2 == 3) code += "add ft0, ft0, fc3\n";
            show(code);
        }

        // If two numbers together have no such bit, neither has: no variant with the first and the second line.
        public function together():void {
            var code:String = "mov ft0, fc15\n";
            if ((u & 2) != 0) code += "add ft0, ft0, fc1\n";
            if (((u | p) & 2) == 0) code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // A whole number that is false is 0.
        public function truth():void {
            var code:String = "mov ft0, fc13\n";
            if (!p) {
                code += "add ft0, ft0, fc1\n";
                if (p == 0) code += "add ft0, ft0, fc2\n";
                if (p > 3) code += "add ft0, ft0, fc3\n";
            }
            show(code);
        }

        // A value is one of two objects, and never both.
        public function light(kind:Light):void {
            var code:String = "mov ft0, fc16\n";
            if (kind == Light.SPOT) code += "add ft0, ft0, fc1\n";
            if (kind == Light.POINT) code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // An object may be equal to a text that it stands for.
        public function stands(kind:*):void {
            var code:String = "mov ft0, fc17\n";
            if (kind == Light.SPOT) {
                code += "add ft0, ft0, fc1\n";
                if (kind == "spot") code += "add ft0, ft0, fc2\n";
                if (kind == "spot") code += "add ft0, ft0, fc3\n";
            }
            show(code);
        }

        // And one whose class does not say so is none.
        public function bare(kind:*):void {
            var code:String = "mov ft0, fc19\n";
            if (kind == Bare.ONE) {
                code += "add ft0, ft0, fc1\n";
                if (kind == "one" || kind === "one" || kind == 1) code += "add ft0, ft0, fc2\n";
            }
            show(code + "// " + [Bare.ONE, "one"].indexOf("one") + "\n");
        }

        // Two objects of a class may be one, and so may what their constructors have made.
        public function made(one:Light, other:Light):void {
            var code:String = "mov ft0, fc18\n";
            if (one.node == other.node) code += "add ft0, ft0, fc1\n";
            if (one.node == Light.SPOT.node) code += "add ft0, ft0, fc2\n";
            show(code);
        }

        // A hole keeps the conversion of its expression.
        public function converted():void {
            show("mov ft" + int(n / 2) + ", fc14\n");
        }
    }
}
class Node {}
class Leaf extends Node {}
class Texture { public var format:String; }
class Light {
    public static const SPOT:Light = new Light();
    public static const POINT:Light = new Light();
    public const node:Node = new Node();

    // It may be one of those above.
    public function own():void {
        var code:String = "mov ft0, fc20\n";
        if (this == SPOT) code += "add ft0, ft0, fc1\n";
        new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
    }

    public function toString():String { return "spot"; }
}
class Bare { public static const ONE:Bare = new Bare(); }
