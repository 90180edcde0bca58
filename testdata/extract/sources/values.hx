// Statements of Haxe that are values.
package game;

import game.Kind.Mode;
using StringTools;

class Values extends Base {
	static inline var MOVE = "mov ";
	final list:Array<String> = [];
	public var code(get, set):String;
	public var size(default, null):Int = 3;

	public function new(?name:String, n = 2) {
		super(name);
		list.push('$name: ${n + 1} $$ {}');
	}

	function get_code() return list.join("\n");

	function set_code(value:String):String {
		list[0] = value;
		return value;
	}

	function choose(kind:Mode, n:Int):String {
		var text = if (n > 1) "many" else if (n == 1) "one" else { trace(n); "none"; };
		text += switch (kind) {
			case Low, Middle: MOVE;
			case High if (n > 2): "big";
			case Other(level, _): 'level $level';
			case _: try risky() catch (e:Dynamic) "failed";
		}
		var i = 10;
		for (i in 0...n) text += i;
		for (part in list) { if (part == "") continue; text += part; }
		for (key => value in ["a" => 1, "b" => 2]) text += key + value;
		do { i--; } while (i > 0);
		final squares = [for (x in 0...4) if (x % 2 == 0) x * x];
		var add = (a, b) -> a + b + i + size;
		function twice(s:String) return s + s + this.size;
		return twice(text.replace(", ", ",")) + add(1, 2) + squares.map(x -> x + 1).join(";") + Std.string(i) + (cast n : String);
	}

	@:keep override public function dispose():Void {
		var object = { x: 1, y: "two" };
		var pattern = ~/a\/b/g;
		untyped __global__["trace"](object.x, pattern);
		#if (js || cpp)
		broken here (;
		#elseif !flash
		neither();
		#else
		flash.Lib.trace(#if flash "flash" #else "not" #end);
		#end
		return;
	}
}
