// Functions in functions: what they share is in an activation object.
package {
    public class Closures {
        private var prefix:String = "p";

        public function build(name:String, ...rest):Function {
            var count:int = 1;
            function inner(n:int = 2):String { return prefix + name + count + n; }
            var other:Function = function (text:String):String {
                count++;
                try { return inner(1) + text + arguments.length; } catch (e:Error) { return e.message + rest; }
                return null;
            };
            return other;
        }
    }
}
