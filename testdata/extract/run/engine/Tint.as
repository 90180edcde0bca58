package engine.methods {
    import engine.registers.Register;
    import engine.registers.RegisterPool;

    public class Tint extends Method {
        override hidden function code():String {
            var scale:Register = temporaries.take(3), color:Register = new RegisterPool("fc", 2).take();
            return "mul " + [target, target, color].join(", ") + "\n" + "mov " + scale + ", " + color + ".w\n";
        }
    }
}
