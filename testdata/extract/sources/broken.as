// What is not understood costs one statement or one member.
package {
    public class Broken {
        public function first():String { return "first"; }
        public function () { nothing }
        public var good:String = "good";
        public var ;
        public function second():String {
            var a:String = "a" +;
            a = "kept";
            if (a { return "lost"; }
            call(a, "lost"
            return a;
        }
        public function open():void {
            if (good) {
                trace("in open");
        public function third():String { return "third"; }
    }
}
}
var last:String = "unfinished
last = "end";
