private static const FRAGMENT_SHADER:String =
<![CDATA[
    tex ft0, v0, fs0 <2d, clamp, linear, mipnone>
    mov oc, ft0
]]>;
