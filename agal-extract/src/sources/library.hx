// What Haxe code uses of Haxe's own library, in as much as it makes texts. It is compiled with sources in Haxe, whose own
// classes of these names come first.

class StringBuf {
	var b:String = "";

	public var length(get, never):Int;

	public function new() {}

	function get_length():Int {
		return b.length;
	}

	public function add(x:Dynamic):Void {
		b += x;
	}

	public function addChar(c:Int):Void {
		b += String.fromCharCode(c);
	}

	public function addSub(s:String, pos:Int, ?len:Int):Void {
		b += len == null ? s.substr(pos) : s.substr(pos, len);
	}

	public function toString():String {
		return b;
	}
}

class StringTools {
	public static function replace(s:String, sub:String, by:String):String {
		return s.split(sub).join(by);
	}

	public static function startsWith(s:String, start:String):Bool {
		return s.indexOf(start) == 0;
	}

	public static function endsWith(s:String, end:String):Bool {
		return s.length >= end.length && s.substr(s.length - end.length) == end;
	}

	public static function contains(s:String, value:String):Bool {
		return s.indexOf(value) != -1;
	}

	public static function ltrim(s:String):String {
		var from = 0;
		while (from < s.length && isSpace(s, from))
			from++;
		return s.substr(from);
	}

	public static function rtrim(s:String):String {
		var to = s.length;
		while (to > 0 && isSpace(s, to - 1))
			to--;
		return s.substr(0, to);
	}

	public static function trim(s:String):String {
		return ltrim(rtrim(s));
	}

	public static function isSpace(s:String, pos:Int):Bool {
		var c = s.charAt(pos);
		return c == " " || c == "\t" || c == "\n" || c == "\r";
	}

	public static function lpad(s:String, c:String, l:Int):String {
		while (s.length < l)
			s = c + s;
		return s;
	}

	public static function rpad(s:String, c:String, l:Int):String {
		while (s.length < l)
			s += c;
		return s;
	}

	public static function hex(n:Int, ?digits:Int):String {
		var s = "";
		do {
			s = "0123456789ABCDEF".charAt(n & 15) + s;
			n >>>= 4;
		} while (n > 0);
		return digits == null ? s : lpad(s, "0", digits);
	}
}

// The keys of a map are dynamic members of it, so that `map[key]` finds them too.
class Map implements Dynamic {
	public function new() {}

	public function set(key:Dynamic, value:Dynamic):Void {
		this[key] = value;
	}

	public function get(key:Dynamic):Dynamic {
		return this[key];
	}

	public function exists(key:Dynamic):Bool {
		return untyped this.hasOwnProperty(key);
	}

	public function remove(key:Dynamic):Bool {
		this[key] = null;
		return true;
	}

	public function keys():Array<Dynamic> {
		return [for (key => value in this) key];
	}

	public function iterator():Array<Dynamic> {
		return [for (value in this) value];
	}
}

class Reflect {
	public static function field(o:Dynamic, field:String):Dynamic {
		return o[field];
	}

	public static function setField(o:Dynamic, field:String, value:Dynamic):Void {
		o[field] = value;
	}

	public static function hasField(o:Dynamic, field:String):Bool {
		return untyped o.hasOwnProperty(field);
	}
}
