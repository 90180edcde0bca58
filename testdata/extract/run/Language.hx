// Each feature of the language takes part in a program: what is found tells whether it was compiled to what it means.
package run;

import com.adobe.utils.AGALMiniAssembler;
using StringTools;
using run.Language.Tools;

enum Kind { Plain; Fancy(level:Int); }

enum abstract Filter(String) to String { var Linear = "linear"; var nearest; }

class Tools {
	public static function twice(s:String):String return s + s;
}

class Language {
	static inline var END = "mov oc, ft0";

	final assembler = new AGALMiniAssembler();
	var registers:Map<String, String> = ["uv" => "v0", "color" => "fc0"];
	public var flags(get, never):String;

	public function new() {}

	function get_flags() return '<2d,${Filter.Linear}>';

	public function interpolated():Void {
		var n = 2;
		fragment('tex ft$n, ${registers["uv"]}, fs${n - 1} $flags\nmov oc, ft$n');
	}

	public function values():Void {
		var op = if (END.length > 3) "sat" else "abs";
		var source = switch (op) { case "abs": "fc1"; case "sat" | "sqt": "fc2"; default: "fc3"; };
		fragment('$op ft0, $source\n' + { var t = "neg"; t + " ft0, ft0\n"; } + END);
	}

	public function loops():Void {
		var buf = new StringBuf();
		for (i in 0...2) buf.add('mov ft$i, fc$i\n');
		for (c in ["x", "y"]) buf.add('mov ft1.$c, fc3.$c\n');
		var i = 3;
		while (i > 2) { i--; buf.add("add ft0, ft0, ft1\n"); }
		buf.add(END);
		fragment(buf.toString());
	}

	public function comprehension():Void {
		var lines = [for (i in 0...4) if (i % 2 == 0) "mov ft" + i + ", fc" + i];
		lines.push(END);
		fragment(lines.join("\n"));
	}

	public function extensions():Void {
		fragment("mov ft0, REG\n".twice().replace("REG", registers.get("color")) + "  ".trim() + END);
	}

	public function closures():Void {
		var prefix = "mov ft0, ";
		var line = (c:Int) -> prefix + "fc" + c + this.ending();
		function both(a, b) { return line(a) + line(b); }
		fragment(both(1, 2) + END);
	}

	function ending() return "\n";

	public function choices():Void {
		fragment(choose(Plain) + choose(Fancy(1)) + END);
	}

	function choose(kind:Kind):String {
		return switch (kind) {
			case Plain: "rcp ft0, fc0\n";
			case Fancy(level): 'mul ft0, ft0, fc$level\n';
		}
	}

	public function conditional():Void {
		#if flash
		fragment("frc ft0, fc0\n" + END);
		#else
		fragment("rsq ft0, fc0\n" + END);
		#end
	}

	inline function fragment(code:String) assembler.assemble("fragment", code);
}
