//! Engines that compile shaders at run time. Their programs exist only while the application runs, so a warning names the engine
//! and explains how to log the programs.

use std::collections::BTreeSet;

use crate::avm::world::World;
use crate::model::Extraction;

/// A row for each engine: the prefix of the names of the classes that compile shaders; the engine's name; what it compiles; which
/// shaders exist only at run time, since the crate follows the code of some engines; and the call in which both programs are
/// available before the upload. The names of classes and methods are from the SWFs and SWCs that each project published, and for
/// Heaps from its `h3d/impl/Stage3dDriver.hx`.
const ENGINES: &str = "\
flare.materials.flsl. | Flare3D | FLSL, which it keeps as bytes | these exist | `upload` of `flare.materials.flsl.FLSLProgramTemplate`
flare.flsl. | Flare3D | FLSL, which it keeps as bytes | these exist | the method of a class in `flare.flsl` that calls `Program3D.upload`
hxsl. | Heaps | hxsl, which it keeps as serialised data of Haxe | these exist | `initShader` of `h3d.impl.Stage3dDriver`, before its call of `upload`
h3d.impl.Shader | h3d | hxsl, which it keeps as serialised data of Haxe | these exist | `h3d.impl.Driver` of its version, before the call of `upload`
aerys.minko.render.shader. | Minko | graphs of expressions in ActionScript | these exist | `upload` of `aerys.minko.render.resource.Program3DResource`
com.adobe.pixelBender3D. | Pixel Bender 3D | PBASM, the text of .pbasm files | these exist | the calls of `com.adobe.pixelBender3D.PBASMCompiler.compile`, which returns both programs
com.adobe.glsl2agal. | glsl2agal | GLSL | these exist | the calls of `com.adobe.glsl2agal.compileShader`, whose result has the program as AGAL text in JSON
alternativa.engine3d.materials.compiler. | Alternativa3D | procedures, which it links | those that depend on run-time data exist | `upload` of `alternativa.engine3d.materials.ShaderProgram`";

/// Warns about each engine, at the first input that contains it.
pub(crate) fn warn(world: &World, extraction: &mut Extraction) {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let engines: Vec<Vec<&str>> = ENGINES.lines().map(|row| row.split(" | ").collect()).collect();
    for class in &world.classes {
        let Some(unit) = world.unit(class.unit) else { continue };
        for engine in &engines {
            let [classes, name, from, which, hook] = engine[..] else { continue };
            if class.name.starts_with(classes) && found.insert(name) {
                let message = format!(
                    "it contains {name}, which compiles shaders itself from {from}, so {which} only while the application runs: \
                     log what it uploads in {hook}, and add the log with --from-trace (docs/extract.md has hooks)"
                );
                extraction.warn(unit.origin.input, Vec::new(), message);
            }
        }
    }
}
