package engine.registers {
    import flash.utils.Dictionary;

    public class RegisterPool {
        private static const POOLS:Dictionary = new Dictionary();
        private var prefix:String, used:Array = [], free:int = 0;

        public function RegisterPool(prefix:String, size:uint) {
            this.prefix = prefix;
            for (var i:int = 0; i < size; ++i) used[i] = false;
        }

        public static function of(prefix:String):RegisterPool {
            if (!POOLS[prefix]) POOLS[prefix] = new RegisterPool(prefix, 4);
            return POOLS[prefix];
        }

        public function take(component:int = -1):Register {
            while (used[free]) ++free;
            used[free] = true;
            return new Register(prefix, free, component);
        }
    }
}
