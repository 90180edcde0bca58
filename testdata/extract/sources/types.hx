// Enumerations, abstracts, properties and generic types of Haxe.
package game;

import tools.Text.helper;
import tools.Text.join as glue;
import tools.Values.Sizes;
import tools.Constants.*;

typedef Point = { x:Float, ?y:Float };

enum Mode {
	Low;
	Middle;
	High;
	Other(level:Int, ?name:String);
}

enum abstract Flag(String) to String {
	var Linear = "linear";
	var Repeat;
}

@:enum abstract Number(Int) {
	var Zero;
	var Five = 5;
	var Six;
}

abstract Register(Int) from Int {
	public inline function new(i:Int) this = i;
	@:to public function toString():String return "vt" + this;
}

interface IShader<T:IShader<T>> {
	var name(get, never):String;
	function code(?flag:Flag, rest:Map<String, Array<Array<Int>>>):Null<String>;
}

@:generic
private class Shader<T> extends Base<Array<T>> implements IShader<Shader<T>> {
	var f:(a:Int, b:String) -> Void;
	var g:Int->Int->Void;

	static function flags(mode:Mode):String {
		return "<2d," + Linear + "," + Flag.Repeat + "," + (mode == Low ? Number.Six : Zero) + ">";
	}

	macro static function never(e) { return macro $e; }
}

class Imports {
	function f() {
		return helper("a") + glue("b") + HALF + game.Shader.flags(Other(1));
	}
}
