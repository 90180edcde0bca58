// Arrays, vectors, objects and dictionaries.
package {
    import flash.utils.Dictionary;

    public class Arrays {
        private static const FORMATS:Array = ["rgba", "dxt1"];
        private var open:Array = ["mov ft1, v4", "mov oc, ft1"];

        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function joined():void {
            fragment(["mov ft0, v0", "mov oc, ft0"].join("\n"));
        }

        public function pushed():void {
            var lines:Vector.<String> = new Vector.<String>();
            lines.push("mov ft1, v0", "mul ft1, ft1, fc0");
            lines.push("mov oc, ft1");
            fragment(lines.join("\n"));
        }

        public function literal():void {
            var lines:Vector.<String> = new <String>["mov ft2, v0", "mov oc, ft2"];
            fragment(lines[0] + "\n" + lines[lines.length - 1]);
        }

        public function concatenated():void {
            fragment(["mov ft3, v0"].concat(["mov ft4, ft3", "mov oc, ft4"]).join("\n"));
        }

        public function flags():void {
            for each (var format:String in FORMATS) {
                var options:Array = ["2d", "linear"];
                if (format == "dxt1") options.push("dxt1");
                fragment("tex ft5, v0, fs0 <" + options.join() + ">\nmov oc, ft5");
            }
        }

        public function keyed():void {
            var registers:Object = {color: "ft6", out: "oc"};
            var named:Dictionary = new Dictionary();
            named["uv"] = "v" + 3;
            fragment("mov " + registers.color + ", " + named["uv"] + "\nmov " + registers["out"] + ", ft6");
        }

        public function inverted():void {
            var lines:Array = ["mov oc, ft7", "mov ft7, v0"];
            lines.reverse();
            fragment(lines.join("\n"));
        }

        // In which order is not known.
        public function sorted():void {
            var lines:Array = ["mov oc, ft7", "mov ft7, v1"];
            lines.sort(Array.DESCENDING);
            fragment(lines.join("\n") + "\nmov oc, ft7");
        }

        // Of a list to which others add lines, it is not known what is last.
        public function add(line:String):void { open.push(line); }

        public function last():void { fragment(open.slice(-2).join("\n") + "\nmov oc, v4 // slice"); }

        public function rest():void { fragment(open.slice(1).join("\n") + "\nmov oc, v4 // rest"); }

        public function first():void { fragment(open.slice(0, 1).join("\n") + "\nmov oc, ft1 // first"); }

        public function taken():void { fragment(open.splice(1).join("\n") + "\nmov oc, v4 // splice"); }

        public function turned():void { fragment(open.concat().reverse().join("\n") + "\nmov oc, v4 // reverse"); }

        public function lastPlace():void { fragment("mov oc, v" + open.lastIndexOf("mov oc, ft1") + " // lastIndexOf"); }

        public function searched():void {
            var list:Array = [3, 2, 3, 4];
            fragment("mov ft" + list.indexOf(3, 1) + ", v" + list.lastIndexOf(3, 1) + "\nmov oc, ft2 // " + list.indexOf(3, -1) + " " +
                "abcabc".lastIndexOf("a", 2) + " " + "abcabc".lastIndexOf("a") + " " + "abcabc".indexOf("a", 1) + " " +
                "äbäb".lastIndexOf("b", 2) + " " + "aaa".lastIndexOf("aa", 0) + " " + "abab".lastIndexOf("b", undefined));
        }
    }
}
