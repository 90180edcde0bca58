// Conditions that are not known: only variants that can be, and each with what makes it.
package {
    public class Conditions {
        public var mip:Boolean;
        public var wrap:Boolean;
        public var format:String;
        public var lights:int;

        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function change(value:Boolean, other:Boolean, name:String, count:int):void {
            mip = value;
            wrap = other;
            format = name;
            lights = count;
        }

        // Two variants, not four.
        public function twice():void {
            var code:String = "mov ft0, v0\n";
            if (mip) code += "mul ft0, ft0, fc0\n";
            code += "add ft0, ft0, fc1\n";
            if (!mip) code += "neg ft0, ft0\n";
            if (mip == true) code += "sat ft0, ft0\n";
            fragment(code + "mov oc, ft0");
        }

        // Four variants: the conditions have nothing to do with each other.
        public function apart():void {
            fragment("tex ft1, v0, fs0 <2d," + (wrap ? "repeat" : "clamp") + "," + (mip ? "miplinear" : "nomip") + ">\nmov oc, ft1");
        }

        public function texts():void {
            var flags:String = "";
            if (format == "compressed") flags = ",dxt1";
            else if (format == "compressedAlpha") flags = ",dxt5";
            var code:String = "tex ft2, v0, fs0 <2d" + flags + ">\n";
            if (format == "compressed") code += "mul ft2, ft2, fc2\n";
            fragment(code + "mov oc, ft2");
        }

        public function switched():void {
            var filter:String;
            switch (lights) {
                case 0: filter = "nearest"; break;
                case 1: filter = "linear"; break;
                default: filter = "anisotropic4x";
            }
            var code:String = "tex ft3, v0, fs0 <2d," + filter + ">\n";
            if (lights == 1) code += "mul ft3, ft3, fc3\n";
            if (lights > 1) code += "add ft3, ft3, fc3\n";
            fragment(code + "mov oc, ft3");
        }

        // In between it is another value.
        public function assigned():void {
            var code:String = "mov ft4, v0\n";
            if (mip) code += "mul ft4, ft4, fc4\n";
            mip = false;
            if (mip) code += "add ft4, ft4, fc4\n";
            fragment(code + "mov oc, ft4");
        }

        public function inCallee():void {
            var code:String = mip ? "mov ft5, v0\n" : "mov ft5, v1\n";
            fragment(code + more() + "mov oc, ft5");
        }

        private function more():String {
            return mip ? "mul ft5, ft5, fc5\n" : "";
        }

        public function nothing(texture:Object):void {
            var code:String = "mov ft6, v0\n";
            if (texture != null) code += "tex ft6, v0, fs0 <2d>\n";
            if (texture) code += "mul ft6, ft6, fc6\n";
            fragment(code + "mov oc, ft6");
        }
    }
}
