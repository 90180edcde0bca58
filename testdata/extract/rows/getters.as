// Getters that give constants, each class below its own: the classes of an object decide them together.
package {
    import com.adobe.utils.AGALMiniAssembler;
    import flash.display3D.Context3DProgramType;

    public class Light {
        // No class is tinted and has two layers: three programs.
        public function make(assembler:AGALMiniAssembler, material:Material):void {
            var code:String = "tex ft0, v0, fs0 <2d,linear>\n";
            for (var i:int = 1; i < material.layers; i++) code += "mul ft0, ft0, fc" + i + "\n";
            if (material.isTinted) code += "mul ft0, ft0, fc0\n";
            if (material.isFlat()) code += "mov ft0.w, fc0.w\n";
            assembler.assemble(Context3DProgramType.FRAGMENT, code + "mov oc, ft0");
        }
    }

    public class Material {
        public function get layers():int { return 1; }
        public function get isTinted():Boolean { return false; }
        public function isFlat():Boolean { return false; }
    }

    public class Layered extends Material {
        override public function get layers():int { return 2; }
        override public function isFlat():Boolean { return true; }
    }

    public class Tinted extends Material {
        override public function get isTinted():Boolean { return true; }
    }

    public class Deep extends Tinted {
        override public function isFlat():Boolean { return false; }
    }
}
