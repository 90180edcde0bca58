// A call that is left before its end: how long the lists are that belong to its object is not known, however they are reached. Each
// list is reached by two fields, of which one leads there in more steps than are followed.
package {
    public class Left {
        private var a1:Box = new Box(), a2:Box = new Box(), a3:Box = new Box(), a4:Box = new Box();
        private var b1:Holder = new Holder(a1), b2:Holder = new Holder(a2), b3:Holder = new Holder(a3), b4:Holder = new Holder(a4);

        public function show():void {
            count(7);
            new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc" + a1.list.length + "\nmov v0, vc" + a2.list.length +
                "\nmov v1, vc" + a3.list.length + "\nmov v2, vc" + a4.list.length);
        }

        // The same of what is given to the call.
        public function showGiven(tray:Tray):void {
            fill(tray, 7);
            new AGALMiniAssembler().assemble("vertex", "m44 op, va0, vc" + tray.items.length + "\nmov v0, vc" + tray.items.lastIndexOf(1) +
                "\nmov v1, vc" + tray.items.indexOf(1) + "\nmov v2, vc" + tray.items.concat().reverse()[0]);
        }

        private function fill(tray:Tray, number:int):void {
            for (var i:int = 0; i < 3000; i++) for (var j:int = 0; j < 3000; j++) number = number * 3 + next(number % 7 + j);
            add(tray.items, number);
        }

        private function add(list:Array, number:int):void { list.push(number); }

        private function count(number:int):void {
            for (var i:int = 0; i < 3000; i++) for (var j:int = 0; j < 3000; j++) number = number * 3 + next(number % 7 + j);
            a1.list.push(number);
        }

        private function next(number:int):int {
            for (var i:int = 0; i < 3000; i++) number = number * 5 % 1001 + i;
            return number;
        }
    }

    public class Box { public var list:Array = [1]; }

    public class Tray { public var items:Array = [1]; }

    public class Holder {
        public var box:Box;
        public function Holder(box:Box) { this.box = box; }
    }
}
