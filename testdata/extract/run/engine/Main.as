package engine {
    import com.adobe.utils.AGALMiniAssembler;
    import engine.methods.*;
    import flash.display3D.*;

    public class Main {
        private var program:Program3D;

        public function upload(context:Context3D, smooth:Boolean):void {
            var tint:Method = new Tint();
            var assembler:AGALMiniAssembler = new AGALMiniAssembler();
            program = context.createProgram();
            program.upload(
                assembler.assemble(Context3DProgramType.VERTEX, "m44 op, va0, vc0\nmov v0, va1", 2),
                assembler.assemble(Context3DProgramType.FRAGMENT, tint.compile(smooth), 2));
        }
    }
}
