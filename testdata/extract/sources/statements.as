// Statements, without semicolons where the line ends.
package {
    public class Statements {
        public function loops(list:Array, map:Object, n:int):String {
            var code:String = "", i:int
            for (i = 0; i < n; i++) { if (i == 2) continue; code += i }
            for each (var item:String in list) code += item
            for (var key:* in map) { code += key; break }
            outer: while (true) {
                do { if (n--) break outer; else continue outer } while (n > 1)
            }
            return code
        }

        public function choices(kind:int):String {
            var code:String
            switch (kind) {
                case 1:
                case 2: code = "low"; break
                default: code = "other"
                case 3: code += "high"
            }
            if (kind == 1 && code || !kind) return "a"
            else if (kind > 2) return "b"
            else return code
        }

        public function guarded(object:Object):void {
            try { open() } catch (error:Error) { trace(error.message) } finally { close() }
            with (object) { draw() }
            CONFIG::debug { trace("debug") }
            throw new Error("no")
        }
    }
}
