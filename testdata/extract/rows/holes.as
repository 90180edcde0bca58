// What is not known is a hole with a name, and the same value at two places is the same hole.
package {
    public class Holes {
        public var flags:String;

        public function set options(value:String):void {
            flags = value;
        }

        public function parameter(register:String, index:int):void {
            new AGALMiniAssembler().assemble("fragment", "mov " + register + ", v" + index + "\nmul " + register + ", " + register + ", fc" + (index + 1) + "\nmov oc, " + register);
        }

        public function field():void {
            new AGALMiniAssembler().assemble("fragment", "tex ft0, v0, fs0 <" + flags + ">\nmov oc, ft0");
        }

        public function calls(cache:Object):void {
            var first:String = cache.temporary();
            var second:String = cache.temporary();
            new AGALMiniAssembler().assemble("fragment", "mov " + first + ", v0\nmov " + second + ", " + first + "\nmov oc, " + second);
        }

        public function run(source:String):void {
            new AGALMiniAssembler().assemble("fragment", source);
        }
    }
}
