// Packages, visibility, constants that are slots, values that are computed, accessors, defaults, interfaces.
package shop.shaders {
    import flash.display3D.Context3D;
    import flash.utils.Dictionary;

    use namespace internals;

    [SWF(width="640", height="480")]
    public class Material extends Base implements IMaterial {
        public static const MOVE:String = "mov ";
        private static const TABLE:Dictionary = new Dictionary();
        protected static var count:int = -3, name:String;
        internals var _list:Vector.<String> = new <String>["a", "b"];
        private const half:Number = 0.5, one:Number = 1;
        [Embed(source="grass.png")]
        private const Grass:Class;
        var flag:Boolean = true;

        TABLE["move"] = MOVE;

        public function Material(context:Context3D = null, size:int = -1, prefix:String = MOVE, step:Number = Sizes.STEP) {
            _list.push(prefix);
            super(context);
        }

        override public function get code():String { return MOVE + _list[0]; }
        public function set code(value:String):void { _list[0] = value; }
        final protected function lines(...rest):Array { return rest; }
        public static function make():Material { return new Material(null); }
        CONFIG::debug { var level:int = 3; public function log():void { trace(level); } }
        CONFIG::air public function platform():String { return "air"; }
        CONFIG::web public function platform():String { return "web"; }
    }
}

interface IMaterial extends IBase { function get code():String; function lines(...rest):Array; }
CONFIG::web { class Web { public var url:String = "http"; } }
class Sizes { public static const STEP:Number = 2; }
function helper(text:String):String { return Sizes.STEP + text; }
