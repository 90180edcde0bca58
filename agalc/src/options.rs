//! Options for reading inputs.

use agal_front::assemble::{AssembleOptions, Language};
use agal_front::{Remedy, Rules, Stage, lift};
use sdlbc::front::{Convention, GlslVersion};
use sdlbc::{Format, Module};

use crate::input::{Form, Input, by_name};
use crate::names::Names;

sdlbc::options! {
    /// Options for reading and interpreting inputs.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct Options {
        /// The stage that every program must have. If text contains programs of both stages, only the program of this stage is
        /// read.
        pub stage: Option<Stage>,
        /// The version of AGAL text. `None` selects the stated version, or the lowest version that supports the programs.
        pub version: Option<u32>,
        /// The language of AGAL text. Unless this is [`Language::Auto`], all text except module text is read as AGAL.
        pub language: Language,
        /// Whether all text except module text is read as code of the unified-shader instruction set. If [`Options::stage`] is
        /// set, the text needs no header.
        pub es2_text: bool,
        /// Macros for the conditions of `#if`, with their values, as if defined at the beginning of the text.
        pub defines: Vec<(String, f64)>,
        /// Whether bytecode is treated as if it came from a big-endian `ByteArray`, which the player rejects.
        pub big_endian: bool,
        /// Choices in the interpretation of AGAL programs, and the rules for checking the programs.
        pub meaning: lift::Options,
        /// The amount of data in the debug table for AGAL programs.
        pub debug: DebugLevel,
        /// The name and the contents of a separate file that contains the module's debug table.
        pub debug_table: Option<(String, Module)>,
        /// Whether unknown sections, records and additions of an SDLSHADERBC file are skipped, with a note for each. Skipping is
        /// intended for commands that only display or copy a file; all other commands refuse unknown content.
        pub step_over: bool,
        /// Names and types for registers. These names override the names in AGAL text.
        pub names: Names,
        /// Whether names from comments and aliases in AGAL text are ignored, as they always are at [`DebugLevel::None`].
        pub ignore_source_names: bool,
        /// Whether constants become literals if the macro language states their values. Reads at computed indices still read the
        /// constants.
        pub inline_constants: bool,
        /// The entry points to read from WGSL, GLSL, HLSL and SPIR-V, at most one for each stage. If the list is empty, the source may have
        /// at most one entry point for each stage.
        pub entries: Vec<String>,
        /// Values for the overridable constants of WGSL, GLSL, HLSL and SPIR-V. Each pair consists of the constant's name or number
        /// and its value.
        pub overrides: Vec<(String, f64)>,
        /// The formats of the storage textures of GLSL, HLSL and SPIR-V that state no format. Each pair consists of the texture's name and
        /// its format.
        pub texel_formats: Vec<(String, Format)>,
        /// The version of GLSL that the input is read as. `None` selects the version that the source states, or GLSL 1.10.
        pub glsl_version: Option<GlslVersion>,
        /// The graphics interface whose coordinate system the GLSL, HLSL or SPIR-V code uses. `None` selects Vulkan for SPIR-V,
        /// GLSL 4.40 and up, and GLSL ES 3.10 and up; OpenGL for older GLSL; and Direct3D for HLSL. WGSL always uses WebGPU's
        /// coordinate system.
        pub convention: Option<Convention>,
        /// Options for optimising a [`Shader`](crate::Shader) after it is read.
        pub passes: sdlbc_passes::Options,
    }
}

impl Options {
    /// Returns the default options with the given rules.
    pub fn with_rules(rules: Rules) -> Options {
        Options::default().meaning(lift::Options::default().rules(rules))
    }

    /// Returns the option that a remedy changes, as Rust code for [`Help::worded`](crate::Help::worded).
    pub fn wording(remedy: &Remedy) -> Option<String> {
        Some(match remedy {
            Remedy::Allow(code) => format!("`allow: vec![{code}]` in `agalc::Rules`"),
            Remedy::AllowTed => "`allow_ted: true` in `agalc::Rules`".to_string(),
            Remedy::Version(version) => format!("`version: Some({version})` in `agalc::Options`"),
            Remedy::Stage => "`stage` in `agalc::Options`".to_string(),
            Remedy::MacroLanguage => "`language: Language::Macro` in `agalc::Options`".to_string(),
            Remedy::StrictIfg => "`strict_ifg: true` in `agalc::Meaning`".to_string(),
            Remedy::SignedOffsets => "`signed_offset: true` in `agalc::Meaning`".to_string(),
            Remedy::Define(_) => "`defines` in `agalc::Options`".to_string(),
            _ => return None,
        })
    }

    /// Returns the rules that programs are checked against.
    pub fn rules(&self) -> &Rules {
        &self.meaning.rules
    }

    pub(crate) fn assembling(&self, stage: Option<Stage>) -> AssembleOptions {
        let (defines, allow) = (self.defines.clone(), self.rules().allow.clone());
        AssembleOptions::default()
            .stage(stage)
            .version(self.version)
            .language(self.language)
            .defines(defines)
            .allow(allow)
    }

    /// Returns the form in which an input is read, given the form of its content. The result is the same as for
    /// [`detect_file()`](crate::detect_file()), except that the file name is ignored if the options state a language.
    pub(crate) fn form_of(&self, input: &Input, form: Form, is_binary: bool) -> Form {
        let form = if self.language == Language::Auto { by_name(input, form) } else { form };
        match form {
            Form::AgalText | Form::AgalPair if self.es2_text => Form::Es2Text,
            // Text for the unified-shader instruction set may look like another language.
            Form::Foreign(_) if self.es2_text && !is_binary => Form::Es2Text,
            Form::Es2Text if self.language != Language::Auto => Form::AgalText,
            form => form,
        }
    }
}

/// The amount of data in the debug table for AGAL programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum DebugLevel {
    /// No debug data.
    None,
    /// The names of the registers to which values belong.
    #[default]
    Names,
    /// Register names, the source's name, and the line or token of each instruction.
    Lines,
    /// All data of [`DebugLevel::Lines`], and the source text.
    Full,
}

sdlbc::words!(DebugLevel {
    None "none" "No debug data",
    Names "names" "The registers from which values come",
    Lines "lines" "Also the name of the source, and the line or token of each instruction",
    Full "full" "Also the source text",
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_in_advice_exist() {
        let rules = Rules::default().allow(vec![3647]).allow_ted(true);
        let meaning = lift::Options::default().strict_ifg(true).signed_offset(true);
        let options = Options::default().version(Some(2)).language(Language::Macro);
        let all =
            [("Rules", format!("{rules:?}")), ("Meaning", format!("{meaning:?}")), ("Options", format!("{options:?}"))];
        for remedy in [
            Remedy::Allow(3647),
            Remedy::AllowTed,
            Remedy::Version(2),
            Remedy::Stage,
            Remedy::MacroLanguage,
            Remedy::StrictIfg,
            Remedy::SignedOffsets,
            Remedy::Define("X".to_string()),
        ] {
            let words = Options::wording(&remedy).expect("a field");
            let (field, structure) = words.split_once("` in `agalc::").expect("a field in a structure");
            let field = field.trim_matches('`').replace("vec!", "").replace("Language::", "");
            let (_, shown) = all.iter().find(|(name, _)| structure == format!("{name}`")).expect("a structure");
            assert!(shown.contains(&format!(" {field}")), "{words}: {shown}");
        }
    }
}
