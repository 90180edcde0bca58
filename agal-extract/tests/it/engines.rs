//! Engines that compile shaders themselves are named.

use agal_extract::{Options, extract};
use agalc::Input;

use crate::abc::{assemble, bytes};

#[test]
fn each_engine_is_named_once_at_the_first_input_that_has_it() {
    for (class, engine) in [
        ("flare.materials.flsl.FLSLCompiler", "Flare3D"),
        ("flare.flsl.FLSLMaterial", "Flare3D"),
        ("hxsl.Shader", "Heaps"),
        ("h3d.impl.Shader", "h3d"),
        ("aerys.minko.render.shader.Shader", "Minko"),
        ("com.adobe.pixelBender3D.PBASMCompiler", "Pixel Bender 3D"),
        ("com.adobe.glsl2agal.CModule", "glsl2agal"),
        ("alternativa.engine3d.materials.compiler.Linker", "Alternativa3D"),
    ] {
        let with = bytes(assemble(&format!("class {class}\nclass {class}Other\n")));
        let without = bytes(assemble("class Game\nclass flare.core.Mesh3D\n"));
        let inputs = [without, with.clone(), with].map(|bytes| Input { name: "game.abc".to_string(), bytes });
        let found = extract(&inputs, &Options::default());
        let [warning] = &found.warnings[..] else { panic!("{class}: {:?}", found.warnings) };
        assert_eq!(warning.input, 1);
        let start = format!("{engine} is in it, which compiles shaders itself");
        assert!(warning.message.starts_with(&start) && warning.message.contains("--from-trace"), "{}", warning.message);
    }
}
