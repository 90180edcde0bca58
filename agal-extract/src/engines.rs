//! Engines that compile shaders themselves: what they make exists only while the application runs, so a warning names the engine and
//! says how to get it.

use std::collections::BTreeSet;

use crate::avm::world::World;
use crate::model::Extraction;

/// An engine, by its classes.
struct Engine {
    /// How the names of its classes begin that compile shaders.
    classes: &'static str,
    name: &'static str,
    /// What it compiles.
    from: &'static str,
    /// Where both programs are together before they are uploaded.
    hook: &'static str,
}

/// The engines. The classes and methods are those of the SWFs and SWCs that each project published, and for Heaps those of its
/// `h3d/impl/Stage3dDriver.hx`.
const ENGINES: [Engine; 8] = [
    Engine {
        classes: "flare.materials.flsl.",
        name: "Flare3D",
        from: "FLSL, which it keeps as bytes",
        hook: "`upload` of `flare.materials.flsl.FLSLProgramTemplate`",
    },
    Engine {
        classes: "flare.flsl.",
        name: "Flare3D",
        from: "FLSL, which it keeps as bytes",
        hook: "the method of a class in `flare.flsl` that calls `Program3D.upload`",
    },
    Engine {
        classes: "hxsl.",
        name: "Heaps",
        from: "hxsl, which it keeps as serialised data of Haxe",
        hook: "`initShader` of `h3d.impl.Stage3dDriver`, before its call of `upload`",
    },
    Engine {
        classes: "h3d.impl.Shader",
        name: "h3d",
        from: "hxsl, which it keeps as serialised data of Haxe",
        hook: "`h3d.impl.Driver` of its version, before the call of `upload`",
    },
    Engine {
        classes: "aerys.minko.render.shader.",
        name: "Minko",
        from: "graphs of expressions in ActionScript",
        hook: "`upload` of `aerys.minko.render.resource.Program3DResource`",
    },
    Engine {
        classes: "com.adobe.pixelBender3D.",
        name: "Pixel Bender 3D",
        from: "PBASM, the text of .pbasm files",
        hook: "the calls of `com.adobe.pixelBender3D.PBASMCompiler.compile`, which returns both programs",
    },
    Engine {
        classes: "com.adobe.glsl2agal.",
        name: "glsl2agal",
        from: "GLSL",
        hook: "the calls of `com.adobe.glsl2agal.compileShader`, whose result has the program as AGAL text in JSON",
    },
    Engine {
        classes: "alternativa.engine3d.materials.compiler.",
        name: "Alternativa3D",
        from: "procedures, which it links at run time",
        hook: "`upload` of `alternativa.engine3d.materials.ShaderProgram`",
    },
];

/// Warns of each engine that an input has.
pub(crate) fn warn(world: &World, extraction: &mut Extraction) {
    let mut found: BTreeSet<(usize, &str)> = BTreeSet::new();
    for class in &world.classes {
        let Some(unit) = world.unit(class.unit) else { continue };
        for engine in ENGINES.iter().filter(|engine| class.name.starts_with(engine.classes)) {
            let input = unit.origin.input;
            if found.insert((input, engine.name)) {
                let Engine { name, from, hook, .. } = engine;
                let message = format!(
                    "{name} is in it, which compiles shaders itself from {from}, so these exist only while the application runs: \
                     log what it uploads in {hook}, and add the log with --from-trace (docs/extract.md has hooks)"
                );
                extraction.warn(input, Vec::new(), message);
            }
        }
    }
}
