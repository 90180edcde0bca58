package engine.methods {
    import engine.registers.Register;
    import engine.registers.RegisterPool;

    public class Tint extends Method {
        override hidden function code(move:String = Method.MOVE):String {
            var color:Register = new RegisterPool("fc", 2).take();
            scale = temporaries.take(3);
            return "mul " + [target, target, color].join(", ") + "\n" + move + scale + ", " + color + ".w\n"
                + MOVE + target + ".w, " + scale + "\n";
        }
    }
}
