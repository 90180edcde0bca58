// XML that is made of strings: its text, its nodes by their names, and what is no XML.
package {
    public class Nodes {
        private function fragment(code:String):void {
            new AGALMiniAssembler().assemble("fragment", code);
        }

        // Text is that of elements with no elements in them; entities, sections and comments are resolved.
        public function texts():void {
            fragment(new XML("<s><!-- no -->mov oc, &lt;2d&gt; &#65;&#x42;&other; <![CDATA[<&amp;>]]><?x y?></s>"));
            fragment("mov oc, fc10" + new XML("<a/>"));
            fragment("mov oc, " + new XMLList("<a b='>'>f</a>\n<d>c11</d>"));
            fragment("mov oc, fc12" + new XML("<a><b/></a>"));
        }

        // Of children, attributes and descendants the name counts without its namespace.
        public function named(sampler:String):void {
            var own:XML = new XML("<x><s id='1'><v>f</v></s><n:s id=\"2\"><v>c13</v><w>ft2</w></n:s></x>");
            fragment("mov " + own..w + ", " + own.s.v);
            fragment("mov ft" + own.*.@id + ", fc" + own.s.length());
            own.s[1].v = sampler;
            fragment("mov ft3, " + own.s.v);
            fragment("mov ft4, " + own..w);
        }

        // What is not well formed is no XML.
        public function wrong():void {
            fragment("mov oc, fc14" + new XML("<a>"));
            fragment("mov oc, fc15" + new XML("</a>"));
            fragment("mov oc, fc16" + new XML("<a b=c/>"));
            fragment("mov oc, fc17" + new XML("<"));
            fragment("mov oc, fc18" + new XML("<![CDATA["));
            fragment("mov oc, fc19" + new XML("<!--"));
        }

        // Nor is what is nested too deeply: 100 elements are not.
        public function deep():void {
            var nested:String = "<b/>";
            for (var i:int = 0; i < 99; i++) nested = "<a>" + nested + "</a>";
            fragment("mov oc, fc2" + new XML("<a>" + nested + "</a>")..b.length());
            fragment("mov oc, fc3" + new XML("<a><a>" + nested + "</a></a>")..b.length());
        }

        // A constant that no call takes has the texts of its elements, and what stands between them.
        public function unused():void {
            keep("<a><b>\nmov ft5, v0</b>x<c><d>\nmov oc, v6</d><d/></c>\nmov oc, v7</a>");
        }
    }
}
