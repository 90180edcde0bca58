// Numbers as text, arithmetic and comparisons.
package {
    public class Numbers {
        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function written():void {
            var count:int = 7 / 2;
            var part:Number = 0.5;
            fragment("mov ft" + count + ", fc" + int(part * 4) + "\nmov oc, ft" + count + " // " + part + " " + 1e21 + " " + 1 / 3 + " " + Number("-Infinity") + " " +
                Number("0x-5") + " " + Math.min(NaN, 3));
        }

        public function converted():void {
            fragment("mov ft" + String(1) + ", fc" + (12).toString() + "\nmov oc, ft" + parseInt("1a") + " // " + (255).toString(16));
        }

        public function compared():void {
            var lights:int = 3;
            fragment((lights > 2 && lights != 4 ? "mov ft2" : "mov ft9") + ", v0\nmov oc, ft2");
        }

        public function mathematics():void {
            fragment("mov ft" + Math.max(1, 2) + ", fc" + Math.floor(3.7) + "\nmov oc, ft" + (6 % 4) + "");
        }
    }
}
