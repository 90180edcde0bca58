// A register allocator, as engines have it: objects in pools, which are made when they are needed.
package {
    public class Registers {
        public function build():void {
            var pool:Pool = new Pool("ft", 4);
            var first:Register = pool.take();
            var second:Register = pool.take();
            var code:String = "mov " + first + ", v0\n";
            code += "mul " + second + ", " + first + ", fc0\n";
            pool.free(first);
            code += "add " + pool.take() + ", " + second + ", fc1\n";
            new AGALMiniAssembler().assemble("fragment", code + "mov oc, " + second);
        }
    }
}

class Register {
    private var text:String;
    public var index:int;

    public function Register(name:String, index:int) {
        this.index = index;
        text = name + index;
    }

    public function toString():String {
        return text;
    }
}

class Pool {
    private static const all:Object = {};
    private var registers:Vector.<Register>;
    private var used:Vector.<uint>;

    public function Pool(name:String, count:int) {
        registers = make(name, count);
        used = new Vector.<uint>(count, true);
    }

    private static function make(name:String, count:int):Vector.<Register> {
        var key:String = name + count;
        if (all[key] != undefined) return all[key];
        var made:Vector.<Register> = new Vector.<Register>(count, true);
        for (var i:int = 0; i < count; ++i) made[i] = new Register(name, i);
        all[key] = made;
        return made;
    }

    public function take():Register {
        for (var i:int = 0; i < registers.length; ++i) {
            if (used[i] == 0) {
                used[i]++;
                return registers[i];
            }
        }
        throw new Error("no register is free");
    }

    public function free(register:Register):void {
        used[register.index]--;
    }
}
