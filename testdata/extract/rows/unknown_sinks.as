// Text that reads as a program although no call tells, once, and not if it is a part of something that was found whole.
package {
    public class Pass {
        public function vertexCode():String {
            return "m44 vt0, va0, vc0\nmov op, vt0\nmov v0, va1\n";
        }

        public function fragmentCode(engine:Object):void {
            engine.addShader("mov ft0, v0\nmov oc, ft0\n");
        }

        public function words():String {
            return "add it to the list";
        }

        public function whole():void {
            new AGALMiniAssembler().assemble("fragment", part() + "mov oc, ft1");
        }

        private function part():String {
            return "mov ft1, v0\nmul ft1, ft1, fc1\n";
        }
    }
}
