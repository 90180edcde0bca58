//! AGAL as a target. This module writes a stage of a verified module as an AGAL program, lists the constants that the application
//! uploads, and shortens programs.

pub use agal_back::{LONGEST, Refusal, RefusalKind, Size, optimise as optimise_agal};
use agal_front::Program;
use agal_front::disassemble::disassemble;
use sdlbc::{FunctionKind, Verified};

/// An AGAL program that was written from a stage of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAgal {
    /// The AGAL program of the stage.
    pub program: Program,
    /// The constants that the application uploads, with a line for each register or group of consecutive registers, such as
    /// `fc1.xy = 0.5, 2`. The list omits a register that matches an element of the module's array by name and number, as in
    /// modules lifted from AGAL.
    pub uploads: Vec<String>,
}

impl WrittenAgal {
    /// Returns the program as AGAL text. Comments list the constants that the application uploads.
    pub fn text(&self) -> String {
        let text = disassemble(&self.program);
        let uploads: String = self.uploads.iter().map(|line| format!("// upload {line}\n")).collect();
        // The comments follow the header, which is the first line.
        match text.split_once('\n') {
            Some((header, rest)) => format!("{header}\n{uploads}{rest}"),
            None => text,
        }
    }
}

/// Writes a stage of a module as an AGAL program of a given version. If `version` is `None`, the program has the lowest version
/// that can express the stage.
///
/// ```
/// use agalc::{Shader, Stage};
///
/// let shader = Shader::pair("m44 op, va0, vc0\nmov v0, va1", "tex ft0, v0, fs0 <2d>\nmul oc, ft0, fc0")?;
/// let vertex = agalc::write_agal(shader.module(), Stage::Vertex, None).expect("it fits");
/// assert!(vertex.text().contains("m44 op"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the features of the stage that AGAL lacks.
pub fn write_agal(
    module: &Verified,
    stage: impl Into<FunctionKind>,
    version: Option<u32>,
) -> Result<WrittenAgal, Vec<Refusal>> {
    let stage = stage.into();
    let function = module.functions.iter().position(|function| function.kind == stage).unwrap_or(usize::MAX);
    let options = agal_back::Options::default().version(version);
    let translated = agal_back::translate(module, function, &options)?;
    let uploads = agal_back::uploads(&translated.constants, translated.program.stage);
    Ok(WrittenAgal { program: translated.program, uploads })
}
