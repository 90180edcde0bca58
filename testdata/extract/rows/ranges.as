// Numbers of which a range is known. What can never be adds fc9, which no variant has.
package {
    public class Ranges {
        public var p:int;
        public var q:int;
        public var u:uint;
        public var n:Number;

        public function change(a:int, b:int, c:uint, d:Number):void {
            p = a; q = b; u = c; n = d;
        }

        private function show(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }

        // Between 0 and 1 there are numbers, but no whole one.
        public function fractions():void {
            var code:String = "mov ft0, fc20\n";
            if (n > 0) { if (n < 1) code += "add ft0, ft0, fc1\n"; }
            if (p > 0) { if (p < 1) code += "add ft0, ft0, fc9\n"; }
            show(code);
        }

        // One whole number is between 0 and 2.
        public function only():void {
            var code:String = "mov ft0, fc21\n";
            if (p > 0) { if (p < 2) code += p == 1 ? "add ft0, ft0, fc1\n" : "add ft0, ft0, fc9\n"; }
            show(code);
        }

        // Numbers at the bounds are left out, whatever the order.
        public function bounds():void {
            var code:String = "mov ft0, fc22\n";
            if (p >= 0 && p <= 2 && p != 0 && p != 1) code += p == 2 ? "add ft0, ft0, fc1\n" : "add ft0, ft0, fc9\n";
            if (q >= 0 && q <= 2 && q != 2 && q != 0 && q != 1) code += "add ft0, ft0, fc9\n";
            show(code);
        }

        // One that is at most 1 may be less, and is not greater.
        public function compared():void {
            var code:String = "mov ft0, fc23\n";
            if (n <= 1) {
                if (n < 1) code += "add ft0, ft0, fc1\n";
                if (n > 1) code += "add ft0, ft0, fc9\n";
            }
            show(code);
        }

        // A whole number has no fraction, and a count is not negative.
        public function kinds():void {
            var code:String = "mov ft0, fc24\n";
            if (n == 0.5) code += "add ft0, ft0, fc1\n";
            if (p == 0.5) code += "add ft0, ft0, fc9\n";
            if (u == -1) code += "add ft0, ft0, fc9\n";
            show(code);
        }

        // The results of operations.
        public function operations():void {
            var code:String = "mov ft0, fc25\n";
            if (u + 1 == 0) code += "add ft0, ft0, fc9\n";
            if (0 - u == 1) code += "add ft0, ft0, fc9\n";
            if ((p & 3) == 4) code += "add ft0, ft0, fc9\n";
            if (u % 2 == 2) code += "add ft0, ft0, fc9\n";
            if ((p >>> q) == -1) code += "add ft0, ft0, fc9\n";
            if (p % 2 == -1) code += "add ft0, ft0, fc1\n";
            show(code);
        }
    }
}
