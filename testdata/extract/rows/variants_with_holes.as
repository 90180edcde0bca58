// A variant of which a part is not known is not another one that would fit.
package {
    public class Variants {
        public function make(kind: int, register: Object): void {
            var code: String = "mov ft0, v0\n";
            if (kind == 1) code += "mul ft0, ft0, " + register.name + "\n";
            else code += "mul ft0, ft0, fc4\n";
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }

        // Nor is it the variant without that part.
        public function lines(kind: int, source: Object): void {
            var code: String = "mov ft0, v0\n";
            if (kind == 1) code += source.code();
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }
    }
}
