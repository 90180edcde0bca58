//! Warns about engines that compile shaders at run time. The programs of such an engine exist only while the application runs, so
//! the warning names the engine and explains how to log its programs.

use std::collections::BTreeSet;

use crate::avm::world::World;
use crate::model::Extraction;

/// The table of engines. A row contains the name prefix of the classes that compile shaders, the engine's name, and the language
/// or form that the engine compiles. The fourth column states which programs exist only at run time: all programs, unless the
/// crate can follow some of the engine's code. The last column names the call before which both programs are available.
///
/// The names of classes and methods come from the SWFs and SWCs that each project published, or, for Heaps, from its
/// `h3d/impl/Stage3dDriver.hx`.
const ENGINES: &str = "\
flare.materials.flsl. | Flare3D | FLSL stored as bytes | its programs exist | `upload` of `flare.materials.flsl.FLSLProgramTemplate`
flare.flsl. | Flare3D | FLSL stored as bytes | its programs exist | the method of a class in `flare.flsl` that calls `Program3D.upload`
hxsl. | Heaps | hxsl stored as serialised Haxe data | its programs exist | `initShader` of `h3d.impl.Stage3dDriver`, before its call of `upload`
h3d.impl.Shader | h3d | hxsl stored as serialised Haxe data | its programs exist | the application's `h3d.impl.Driver`, before the call of `upload`
aerys.minko.render.shader. | Minko | expression graphs in ActionScript | its programs exist | `upload` of `aerys.minko.render.resource.Program3DResource`
com.adobe.pixelBender3D. | Pixel Bender 3D | PBASM (the text of .pbasm files) | its programs exist | the calls of `com.adobe.pixelBender3D.PBASMCompiler.compile`, which returns both programs
com.adobe.glsl2agal. | glsl2agal | GLSL | its programs exist | the calls of `com.adobe.glsl2agal.compileShader`, whose result has the program as AGAL text in JSON
alternativa.engine3d.materials.compiler. | Alternativa3D | procedures that it links | programs that depend on run-time data exist | `upload` of `alternativa.engine3d.materials.ShaderProgram`";

/// Adds one warning for each engine, at the first input that contains the engine's classes.
pub(crate) fn warn(world: &World, extraction: &mut Extraction) {
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let engines: Vec<Vec<&str>> = ENGINES.lines().map(|row| row.split(" | ").collect()).collect();
    for class in &world.classes {
        let Some(unit) = world.unit(class.unit) else { continue };
        for engine in &engines {
            let [classes, name, from, which, hook] = engine[..] else { continue };
            if class.name.starts_with(classes) && found.insert(name) {
                let message = format!(
                    "the file contains {name}, which compiles shaders from {from}; {which} only while the application runs: \
                     log the uploaded programs in {hook}, and add the log with --from-trace (docs/extract.md has hooks)"
                );
                extraction.warn(unit.origin.input, Vec::new(), message);
            }
        }
    }
}
