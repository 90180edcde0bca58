//! AGAL as a target: writes a stage of a module as a program, with the constants that the application uploads, and
//! shortens programs.

pub use agal_back::{LONGEST, Refusal, RefusalKind, Size, optimise as optimise_agal};
use agal_front::Program;
use agal_front::disassemble::disassemble;
use sdlbc::{FunctionKind, Verified};

/// A stage as an AGAL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAgal {
    /// The program.
    pub program: Program,
    /// The constants that the application uploads, one register on each line, such as `fc1.xy = 0.5, 2`. A register is
    /// left out if the module has the same uniform under the same number.
    pub uploads: Vec<String>,
}

impl WrittenAgal {
    /// Returns the program as text. Comments list the constants that the application uploads.
    pub fn text(&self) -> String {
        let text = disassemble(&self.program);
        let uploads: String = self.uploads.iter().map(|line| format!("// upload {line}\n")).collect();
        // The first line is the header.
        match text.split_once('\n') {
            Some((header, rest)) => format!("{header}\n{uploads}{rest}"),
            None => text,
        }
    }
}

/// Writes a stage of a module as an AGAL program of a version, or of the lowest version that can express it.
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
/// The features that AGAL lacks.
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
