//! What a caller may ask for.

use agal_front::assemble::{AssembleOptions, Language};
use agal_front::{Rules, Stage, lift};
use sdlbc::Module;

/// How inputs are read and understood. The stage that is asked of a program is its [`Item`](crate::Item)'s.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The version of AGAL text; without it the text's own, or the lowest that has all that the programs use.
    pub version: Option<u32>,
    /// The language of AGAL text.
    pub language: Language,
    /// The names that `#if` of the macro language knows from the start, and their values.
    pub defines: Vec<(String, f64)>,
    /// The `ByteArray` of bytecode is big endian when it is uploaded, which the player refuses.
    pub big_endian: bool,
    /// What AGAL programs mean where there is a choice, and the rules by which they are judged.
    pub meaning: lift::Options,
    /// What the debug table says of AGAL programs.
    pub debug: DebugLevel,
    /// The debug table of a module, where it is a file of its own: its name and what it holds.
    pub debug_table: Option<(String, Module)>,
}

impl Options {
    /// The usual options, and these rules.
    pub fn with_rules(rules: Rules) -> Options {
        Options { meaning: lift::Options { rules, ..lift::Options::default() }, ..Options::default() }
    }

    /// The rules by which programs are judged.
    pub fn rules(&self) -> &Rules {
        &self.meaning.rules
    }

    pub(crate) fn assembling(&self, stage: Option<Stage>) -> AssembleOptions {
        let (defines, allow) = (self.defines.clone(), self.rules().allow.clone());
        AssembleOptions { stage, version: self.version, language: self.language, defines, allow }
    }
}

/// How much the debug table says of AGAL programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DebugLevel {
    /// Nothing.
    None,
    /// The registers that values are of.
    #[default]
    Names,
    /// Also the source's name and each instruction's line or token.
    Lines,
    /// Also the source's text.
    Full,
}
