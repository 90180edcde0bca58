package engine.registers {
    public class Register {
        private static const COMPONENTS:Array = ["x", "y", "z", "w"];
        private var text:String;

        public function Register(name:String, index:int, component:int = -1) {
            text = name + index;
            if (component > -1) text += "." + COMPONENTS[component];
        }

        public function toString():String { return text; }
    }
}
