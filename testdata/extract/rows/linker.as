// A linker of procedures, as engines have: lines are compiled with regular expressions, and what registers are called is resolved when
// procedures are put together. Its code is followed.
package {
    import flash.display3D.Context3D;

    public class Linked {
        private var bent:Procedure;

        public function upload(context:Context3D):void {
            var vertex:Linker = new Linker(0);
            vertex.add(new Procedure(["#a0 = position", "#v0 = uv", "#a1=uvs", "mov o0, a0 // as it is", "mov v0, a1.xyyy"]));
            var fragment:Linker = new Linker(1);
            fragment.add(new Procedure(["#v0=uv", "#s0=map", "tex t0, v0, s0 <linear,repeat>"]));
            fragment.add(new Procedure(["#c0=tint", "mul t0, t0, c0", "mov o0, t0"]));
            context.createProgram().upload(vertex.link(), fragment.link());
        }

        // What it is given is not known: no program is made up for it.
        public function uploadUnknown(context:Context3D, bend:Procedure):void {
            var vertex:Linker = new Linker(0);
            vertex.add(bend);
            vertex.add(new Procedure(["mov o0, t0"]));
            var fragment:Linker = new Linker(1);
            fragment.add(new Procedure(["#c0=tint", "mov o0, c0"]));
            context.createProgram().upload(vertex.link(), fragment.link());
        }
    }
}
import flash.utils.ByteArray;
import flash.utils.Dictionary;
import flash.utils.Endian;

// Where a register is in the code of a procedure.
class Use {
    public var at:int;
    public var name:String;
    public var next:Use;
}

class Procedure {
    private static const LETTERS:Array = ["a", "c", "t", "o", "v", "s"];
    private static const CODES:Object = {mov: 0, mul: 3, tex: 0x28};

    public var code:ByteArray = new ByteArray();
    public var uses:Vector.<Vector.<Use>> = new Vector.<Vector.<Use>>();

    public function Procedure(lines:Array) {
        code.endian = Endian.LITTLE_ENDIAN;
        for (var i:int = 0; i < 6; i++) uses[i] = new Vector.<Use>();
        var named:Array = [];
        for each (var line:String in lines) {
            var found:Array = line.match(/# *[acvs]\d+ *= *\w+/i);
            if (found != null) named.push(found[0]);
            else compile(line);
        }
        for each (var text:String in named) {
            var sides:Array = text.split("=");
            // An array of one text is used as that text, and as a number.
            var letter:String = sides[0].match(/[acvs]/);
            var number:int = int(sides[0].match(/\d+/));
            var name:String = sides[1].match(/\w+/);
            for (var use:Use = uses[LETTERS.indexOf(letter)][number]; use != null; use = use.next) use.name = name;
        }
    }

    private function compile(line:String):void {
        var comment:int = line.search(/\ *\/\//);
        if (comment >= 0) line = line.substr(0, comment);
        var words:Array = line.match(/[a-z]+(\d+(\.[xyzw]{1,4})?(\ *\<.*\>)?)?/g);
        code.writeUnsignedInt(CODES[words[0]]);
        note(words[1]);
        code.writeShort(0);
        code.writeByte(15);
        code.writeByte(type(words[1]));
        for (var i:int = 2; i < 4; i++) {
            if (i >= words.length) {
                code.position = (code.length += 8);
                continue;
            }
            note(words[i]);
            var options:int = words[i].search(/\</);
            code.writeShort(0);
            code.writeShort(options < 0 ? swizzle(words[i]) << 8 : 0);
            code.writeUnsignedInt(options < 0 ? type(words[i]) : sampler(words[i].substring(options)));
        }
    }

    private function type(word:String):int {
        return LETTERS.indexOf(word.charAt(0));
    }

    private function swizzle(word:String):int {
        var found:Array = word.match(/\.[xyzw]+/);
        if (!found) return 0xe4;
        var bits:int = 0;
        for (var i:int = 0; i < 4; i++) bits |= ((found[0].charCodeAt(i + 1) - "x".charCodeAt(0)) & 3) << (2 * i);
        return bits;
    }

    private function sampler(options:String):uint {
        var bits:uint = 5;
        for each (var option:String in options.match(/(\w+)/g)) {
            if (option == "linear") bits |= 0x10000000;
            if (option == "repeat") bits |= 0x100000;
        }
        return bits;
    }

    private function note(word:String):void {
        var list:Vector.<Use> = uses[type(word)];
        var number:int = parseInt(word.match(/\d+/g)[0], 10);
        var use:Use = new Use();
        use.at = code.position;
        if (number >= list.length) list.length = number + 1;
        else use.next = list[number];
        list[number] = use;
    }
}

class Linker {
    private var stage:int;
    private var procedures:Vector.<Procedure> = new Vector.<Procedure>();
    private var offsets:Dictionary = new Dictionary();

    public function Linker(stage:int) {
        this.stage = stage;
    }

    public function add(procedure:Procedure):void {
        for each (var list:Vector.<Use> in procedure.uses) {
            for (var use:Use = list[0]; use != null; use = use.next) use.at += 0;
        }
        procedures.push(procedure);
    }

    public function link():ByteArray {
        var all:ByteArray = new ByteArray();
        all.endian = Endian.LITTLE_ENDIAN;
        all.writeByte(0xa0);
        all.writeUnsignedInt(1);
        all.writeByte(0xa1);
        all.writeByte(stage);
        var numbers:Object = {};
        var counts:Vector.<int> = new Vector.<int>(6, true);
        for each (var procedure:Procedure in procedures) {
            offsets[procedure] = all.length;
            all.position = all.length;
            all.writeBytes(procedure.code, 0, procedure.code.length);
        }
        for each (procedure in procedures) {
            for (var kind:int = 0; kind < 6; kind++) {
                for (var i:int = 0; i < procedure.uses[kind].length; i++) {
                    for (var use:Use = procedure.uses[kind][i]; use != null; use = use.next) {
                        var number:int = i;
                        if (use.name != null) {
                            if (numbers[use.name] === undefined) numbers[use.name] = counts[kind]++;
                            number = numbers[use.name];
                        }
                        all.position = offsets[procedure] + use.at;
                        all.writeShort(number);
                    }
                }
            }
        }
        return all;
    }
}
