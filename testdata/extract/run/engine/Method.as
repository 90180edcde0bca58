package engine.methods {
    import engine.registers.*;

    use namespace hidden;

    public class Method {
        public static const MOVE:String = "mov ";

        hidden var temporaries:RegisterPool = new RegisterPool("ft", 8);
        protected var target:Register;
        protected var scale:Register;

        hidden function code(move:String = MOVE):String { throw new Error("abstract"); }

        public function compile(smooth:Boolean):String {
            target = temporaries.take();
            return "tex " + target + ", v0, fs0 <2d," + (smooth ? "linear" : "nearest") + ">\n" + code() + "mov oc, " + target;
        }
    }
}
