// XML and E4X: the text of elements that code reads, and nothing that it changes or that is not known.
package {
    public class Xml {
        private static const DATA:String = <![CDATA[
            mov ft0, v0
            mov oc, ft0
        ]]>;
        private static const SHADERS:XML = <shaders>
            <!-- <s id="none"><f>mov oc, v9</f></s> -->
            <s id="glow" stage="fragment"><f>mul ft0, v0, fc0{"\n"}mov oc, ft0</f></s>
            <s id='blur' stage="fragment"><f><![CDATA[tex ft0, v0, fs0 <2d,linear>
mov oc, ft0]]></f><g>add oc, v0, fc7</g></s>
        </shaders>;
        public var sampler:String;

        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        public function data():void {
            fragment(DATA);
            fragment((<![CDATA[mov oc, fc1]]>).toString() + "\n");
            fragment(<![CDATA[mov ft1, fc2
]]> + "mov oc, ft1");
            fragment(<agal><![CDATA[mov oc, fc3]]></agal>);
        }

        public function elements():void {
            fragment(SHADERS.s[0].f);
            fragment(String(SHADERS.s.(@id == "blur").f));
            fragment(SHADERS..g.toString());
            fragment(new XML("<a><b c='mov oc, fc4'/></a>").b.@c);
        }

        public function each():void {
            for each (var one:XML in SHADERS.s) {
                new AGALMiniAssembler().assemble(one.@stage, "sat ft7, v0\n" + one.f);
            }
        }

        public function written():void {
            var filter:String = "<2d,nearest>";
            fragment(<s>tex ft0, v0, fs1 {filter}
mov oc, ft0</s>);
            fragment(<s>tex ft0, v0, fs2 {sampler}
mov oc, ft0</s>);
        }

        // What an element has after that is not known.
        public function changed():void {
            var own:XML = <s><f>mov oc, fc5</f></s>;
            own.f = sampler;
            fragment(own.f);
            fragment("mov ft0, fc6\n" + own.f);
        }
    }
}

// A variable outside of the package, whose text is that of an element, and no semicolon.
var script:String = <agal><![CDATA[
mov oc, fc8
]]></agal>
/* The other program. */
var other:String = <agal><![CDATA[
mov oc, fc9
]]></agal>

class Outside {
    public function outside():void {
        new AGALMiniAssembler().assemble("fragment", script);
        new AGALMiniAssembler().assemble("fragment", other);
    }
}
