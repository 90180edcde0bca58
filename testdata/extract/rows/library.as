// A library's users may assign what it leaves to them: its public fields. Nobody else assigns its private ones.
package {
    import com.adobe.utils.AGALMiniAssembler;
    import flash.display3D.Context3DProgramType;

    public class Library {
        public var isTinted: Boolean;
        private var isSharp: Boolean;

        public function make(assembler: AGALMiniAssembler): void {
            var code: String = "tex ft0, v0, fs0 <2d," + (isSharp ? "nearest" : "linear") + ">\n";
            if (isTinted) code += "mul ft0, ft0, fc0\n";
            assembler.assemble(Context3DProgramType.FRAGMENT, code + "mov oc, ft0");
        }
    }
}
