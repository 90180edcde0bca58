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
    /// Whether its own code is followed, so that what does not depend on run-time data is found.
    is_followed: bool,
}

/// The engines. The classes and methods are those of the SWFs and SWCs that each project published, and for Heaps those of its
/// `h3d/impl/Stage3dDriver.hx`.
const ENGINES: [Engine; 8] = [
    Engine {
        classes: "flare.materials.flsl.",
        name: "Flare3D",
        from: "FLSL, which it keeps as bytes",
        hook: "`upload` of `flare.materials.flsl.FLSLProgramTemplate`",
        is_followed: false,
    },
    Engine {
        classes: "flare.flsl.",
        name: "Flare3D",
        from: "FLSL, which it keeps as bytes",
        hook: "the method of a class in `flare.flsl` that calls `Program3D.upload`",
        is_followed: false,
    },
    Engine {
        classes: "hxsl.",
        name: "Heaps",
        from: "hxsl, which it keeps as serialised data of Haxe",
        hook: "`initShader` of `h3d.impl.Stage3dDriver`, before its call of `upload`",
        is_followed: false,
    },
    Engine {
        classes: "h3d.impl.Shader",
        name: "h3d",
        from: "hxsl, which it keeps as serialised data of Haxe",
        hook: "`h3d.impl.Driver` of its version, before the call of `upload`",
        is_followed: false,
    },
    Engine {
        classes: "aerys.minko.render.shader.",
        name: "Minko",
        from: "graphs of expressions in ActionScript",
        hook: "`upload` of `aerys.minko.render.resource.Program3DResource`",
        is_followed: false,
    },
    Engine {
        classes: "com.adobe.pixelBender3D.",
        name: "Pixel Bender 3D",
        from: "PBASM, the text of .pbasm files",
        hook: "the calls of `com.adobe.pixelBender3D.PBASMCompiler.compile`, which returns both programs",
        is_followed: false,
    },
    Engine {
        classes: "com.adobe.glsl2agal.",
        name: "glsl2agal",
        from: "GLSL",
        hook: "the calls of `com.adobe.glsl2agal.compileShader`, whose result has the program as AGAL text in JSON",
        is_followed: false,
    },
    Engine {
        classes: "alternativa.engine3d.materials.compiler.",
        name: "Alternativa3D",
        from: "procedures, which it links",
        hook: "`upload` of `alternativa.engine3d.materials.ShaderProgram`",
        is_followed: true,
    },
];

/// Warns of each engine, at the first input that has it.
pub(crate) fn warn(world: &World, extraction: &mut Extraction) {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for class in &world.classes {
        let Some(unit) = world.unit(class.unit) else { continue };
        for engine in ENGINES.iter().filter(|engine| class.name.starts_with(engine.classes)) {
            if found.insert(engine.name) {
                let Engine { name, from, hook, is_followed, .. } = engine;
                let which = match is_followed {
                    true => "those that depend on run-time data exist",
                    false => "these exist",
                };
                let message = format!(
                    "{name} is in it, which compiles shaders itself from {from}, so {which} only while the application runs: \
                     log what it uploads in {hook}, and add the log with --from-trace (docs/extract.md has hooks)"
                );
                extraction.warn(unit.origin.input, Vec::new(), message);
            }
        }
    }
}
