//! AGAL as a target: a stage of a module as a program, with what the application uploads, and programs made shorter.

use agal_back::{ConstantRegister, ConstantSource};
pub use agal_back::{Refusal, RefusalKind, Size, optimise as optimise_agal};
use agal_front::Program;
use agal_front::disassemble::disassemble;
use agal_front::register::File;
use sdlbc::{FunctionKind, Verified};

/// A stage as an AGAL program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAgal {
    /// The program.
    pub program: Program,
    /// What the application uploads, a register in each line, such as `fc1.xy = 0.5, 2`. Registers that have the same uniform as in
    /// the module, by the same number, are left out.
    pub uploads: Vec<String>,
}

impl WrittenAgal {
    /// The program as text. What the application uploads is said in comments.
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

/// Writes a stage of a module as an AGAL program of a version, or of the lowest that takes it.
///
/// ```
/// use agalc::{FunctionKind, Shader};
///
/// let shader = Shader::pair("m44 op, va0, vc0\nmov v0, va1", "tex ft0, v0, fs0 <2d>\nmul oc, ft0, fc0")?;
/// let vertex = agalc::write_agal(shader.module(), FunctionKind::Vertex, None).expect("it fits");
/// assert!(vertex.text().contains("m44 op"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What AGAL lacks.
pub fn write_agal(module: &Verified, stage: FunctionKind, version: Option<u32>) -> Result<WrittenAgal, Vec<Refusal>> {
    let function = module.functions.iter().position(|function| function.kind == stage).unwrap_or(usize::MAX);
    let options = agal_back::Options { version, ..agal_back::Options::default() };
    let translated = agal_back::translate(module, function, &options)?;
    let file = File::Constant.name(translated.program.stage);
    let uploads = translated.constants.iter().filter_map(|register| upload(file, register)).collect();
    Ok(WrittenAgal { program: translated.program, uploads })
}

/// What is uploaded to a register; `None` if it is what the module calls it.
fn upload(file: &str, register: &ConstantRegister) -> Option<String> {
    let number = register.number;
    let is_itself = |source: &ConstantSource| match source {
        ConstantSource::Uniform { name, element, .. } => name == file && *element == number,
        ConstantSource::Literal(_) => false,
    };
    let known =
        || "xyzw".chars().zip(&register.components).filter_map(|(letter, source)| Some((letter, source.as_ref()?)));
    if known().all(|(_, source)| is_itself(source)) {
        return None;
    }
    let letters: String = known().map(|(letter, _)| letter).collect();
    let part = if letters == "xyzw" { String::new() } else { format!(".{letters}") };
    let values: Vec<String> = known().map(|(_, source)| value(source)).collect();
    Some(format!("{file}{number}{part} = {}", values.join(", ")))
}

fn value(source: &ConstantSource) -> String {
    match source {
        ConstantSource::Literal(word) => f32::from_bits(*word).to_string(),
        ConstantSource::Uniform { name, element, is_row, component } => {
            let letter = ["x", "y", "z", "w"].get(usize::from(*component)).copied().unwrap_or_default();
            let row = if *is_row { "row " } else { "" };
            format!("{name}[{row}{element}].{letter}")
        }
    }
}
