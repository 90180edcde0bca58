//! The note that an input was read as a paste. The note states the form of the paste, and lists the commands that print the
//! pasted programs as AGAL text.
//!
//! Rule: a printed command works unchanged, so it includes every option that affected how the input was read.

use agal_front::Stage;
use agal_front::assemble::Language;

use super::{Paste, PasteForm};
use crate::options::Options;

/// A description of how pasted AGAL was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pasting {
    /// The form of the pasted AGAL.
    pub form: PasteForm,
    /// The stages that the commands name: both stages of a pair, the requested stage, or none.
    pub stages: Vec<Stage>,
    /// The command-line options that affect the reading of the input, except the stage.
    pub options: Vec<String>,
}

impl Pasting {
    pub(crate) fn new(paste: &Paste, stage: Option<Stage>, options: &Options) -> Pasting {
        let stages = if paste.is_pair() { vec![Stage::Vertex, Stage::Fragment] } else { stage.into_iter().collect() };
        Pasting { form: paste.form, stages, options: given(options) }
    }

    /// Returns the commands that print the pasted programs as AGAL text, one for each program. The commands refer to the input by
    /// the name `input`.
    pub fn commands(&self, input: &str) -> Vec<String> {
        let command = match self.form {
            PasteForm::Strings | PasteForm::Post => "agalc assemble --expand",
            _ => "agalc disassemble",
        };
        let of = |stage: Option<Stage>| {
            let mut words = vec![command.to_string()];
            words.extend(stage.map(|stage| format!("--stage {stage}")));
            words.extend(self.options.iter().cloned());
            words.push(input.to_string());
            words.join(" ")
        };
        match &self.stages[..] {
            [] => vec![of(None)],
            stages => stages.iter().map(|stage| of(Some(*stage))).collect(),
        }
    }

    #[cfg(feature = "render")]
    pub(crate) fn help(&self, input: &str) -> String {
        match &self.commands(input)[..] {
            [vertex, fragment] => {
                format!(
                    "`{vertex}` prints the AGAL text of the vertex program, and `{fragment}` that of the fragment program"
                )
            }
            commands => {
                let is_text = matches!(self.form, PasteForm::Strings | PasteForm::Post);
                let what = if is_text { "the AGAL text alone" } else { "it as AGAL text" };
                format!("`{}` prints {what}", commands.join("`, `"))
            }
        }
    }
}

/// Returns the options that differ from the defaults, as command-line arguments.
fn given(options: &Options) -> Vec<String> {
    let mut given = Vec::new();
    match options.language {
        Language::Auto => {}
        Language::Mini => given.push("--language mini".to_string()),
        Language::Macro => given.push("--language macro".to_string()),
        Language::Alternativa => given.push("--language alternativa".to_string()),
    }
    given.extend(options.version.map(|version| format!("--agal-version {version}")));
    given.extend(options.defines.iter().map(|(name, value)| format!("--define {name}={value}")));
    if !options.rules().allow.is_empty() {
        let codes: Vec<String> = options.rules().allow.iter().map(ToString::to_string).collect();
        given.push(format!("--allow {}", codes.join(",")));
    }
    given
}
