// Programs that are the first values of fields: nothing that is known here takes them.
package {
    public class Literals {
        public static const VERTEX: String = "m44 op, va0, vc0\nmov v0, va1";
        private var fragment: String = "tex ft0, v0, fs0 <2d,linear>\nmov oc, ft0";
        private static const TEMPLATE: String = "tex oc, v0, fs0 <OPTIONS>";

        public function program(engine: Object): void {
            engine.setShaders(VERTEX, fragment);
        }

        // What is made of a template is the program, and not the template.
        public function other(): void {
            new AGALMiniAssembler().assemble("fragment", TEMPLATE.replace("OPTIONS", "2d,nearest"));
        }
    }
}
