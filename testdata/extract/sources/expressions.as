// Expressions: precedence, assignments to all that can be assigned to, and what is applied to values.
package {
    import flash.utils.*;

    public class Expressions extends Other {
        private var field:String;
        private var list:Array;

        public function operators(a:int, b:int):Object {
            a += b * 2 - -1;
            field += "x" + a + b;
            list[a++] += "y";
            this.list[0] = list[1] = field;
            b = a > 1 ? b : a == 2 ? 3 : 4;
            a ||= b;
            a >>>= b << 1 & 7 | 8 ^ 9;
            delete list[0];
            return (a as String) is Object && typeof a != "number" || "x" in list;
        }

        public function calls(value:*):void {
            super.draw(value);
            super.size = 2;
            value.first.second(1)(2)[3].third();
            list["push"](value);
            flash.utils.getTimer();
            new flash.utils.ByteArray().writeByte(1);
            new value(1);
            new (value.type)(2);
            new value.type(3);
            Vector.<Number>([1, 2]).join(",");
            var vectors:Vector.<Vector.<int>> = new Vector.<Vector.<int>>(3);
            var literal:Object = { x: 1, "y z": [1, , 2.5], 3: null };
            var text:String = 'it\'s \x41\u0042\t' + "one \
line";
            var pattern:RegExp = /a[/]b\/c/gi;
            var xml:XML = <a b="{value}"><!-- > --><c/></a>;
            trace(xml.@b, xml..c, xml.c.(@d == 1), int("3") / 2 / a);
        }
    }
}
