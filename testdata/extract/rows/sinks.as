// Calls that take programs: stages, versions and pairs come from their arguments.
package {
    import flash.display3D.Context3D;
    import flash.display3D.Context3DProgramType;
    import flash.display3D.Program3D;

    public class Sinks {
        public function upload(context:Context3D):void {
            var vertex:AGALMiniAssembler = new AGALMiniAssembler();
            vertex.assemble(Context3DProgramType.VERTEX, "m44 op, va0, vc0\nmov v0, va1");
            var fragment:AGALMiniAssembler = new AGALMiniAssembler();
            fragment.assemble(Context3DProgramType.FRAGMENT, "mov oc, v0", 2);
            var program:Program3D = context.createProgram();
            program.upload(vertex.agalcode, fragment.agalcode);
        }

        public function assemble2(context:Context3D):void {
            new AGALMiniAssembler().assemble2(context, 3, "mov op, va0", "mov oc, fc3");
        }

        public function source():void {
            Program.fromSource("m44 op, va0, vc4\nmov v0, va2", "mul ft0, v0, fc4\nmov oc, ft0", 2);
        }

        public function registered(support:Object):void {
            support.registerProgramFromSource("name", "m44 op, va0, vc5", "mov oc, fc5");
        }

        public function wrapped(context:Context3D):void {
            compile(context, "m44 op, va0, vc6", "mov oc, fc6");
            compile(context, "m44 op, va0, vc6", "mov oc, fc7");
        }

        private function compile(context:Context3D, vertex:String, fragment:String):void {
            var assembler:AGALMiniAssembler = new AGALMiniAssembler();
            context.createProgram().upload(assembler.assemble("vertex", vertex), assembler.assemble("fragment", fragment));
        }

        public function macros():void {
            new AGALMacroAssembler().assemble("fragment", "oc = v0 * fc8;\n");
        }

        public function procedure():void {
            new Procedure(["#c3=cTint", "mul t0, v0, c3", "mov o0, t0"], "tint");
        }
    }
}
