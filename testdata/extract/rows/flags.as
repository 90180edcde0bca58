// An object that a constructor makes has flags that other methods set later: both variants can be.
package {
    import com.adobe.utils.AGALMiniAssembler;

    public class Pass {
        private var _options: Options;
        private var _registers: Registers;

        public function Pass() {
            _options = new Options();
            _registers = new Registers();
        }

        public function set sharp(value: Boolean): void {
            _options.isSharp = value;
        }

        // The constructor's own flag is as it left it, and so is a count.
        public function make(): void {
            var code: String = "tex " + _registers.next() + ", v0, fs0 <2d," + (_options.isSharp ? "nearest" : "linear") + ">\n";
            if (_options.isLit) code += "mul ft0, ft0, fc0\n";
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, ft0");
        }
    }
}

internal class Options {
    internal var isSharp: Boolean;
    internal var isLit: Boolean;

    public function Options() {
        isLit = true;
    }
}

internal class Registers {
    private var _used: int = 0;

    public function next(): String {
        return "ft" + _used++;
    }
}
