//! The options for reading inputs: the language of text, the rules for programs, the interpretation of AGAL, and names for
//! registers.

use std::path::PathBuf;

use agal_front::finding::KindRow;
use agal_front::{Compat, Profile, Rules};
use agalc::names::{Entry, Names};
use agalc::{Convention, GlslVersion, InstructionSet, Stage, TexelFormat};
use clap::ValueEnum;
use clap::builder::TypedValueParser;

use super::layout::{named, stages, whole, words};

/// The options that select which findings about AGAL are reported, and which findings are errors.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Judging {
    /// Which findings are errors: everything that Flash Player refuses, or only findings that leave a program without a clear
    /// meaning
    #[arg(long, default_value_t = Compat::Lenient, value_parser = words(Compat::WORDS))]
    pub(crate) compat: Compat,
    /// Check the program against this Context3D profile; by default, no profile is checked
    #[arg(long, value_parser = profiles(), value_name = "PROFILE")]
    pub(crate) profile: Option<Profile>,
    /// Allow an error or warning with this number (3648, AGAL3648 or ES2126; separate several by commas): an error becomes a
    /// warning, and a warning is not reported. If the read of an unwritten register is allowed, the read yields zero
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = code)]
    pub(crate) allow: Vec<u16>,
    /// Report warnings (`warn`), treat them as errors (`error`), or do not report them (`allow`)
    #[arg(short = 'W', long = "warnings", value_enum, default_value = "warn", value_name = "LEVEL")]
    pub(crate) warnings: Warnings,
    /// Translate `ted`, although no published source states where its level of detail comes from
    #[arg(long)]
    pub(crate) allow_ted: bool,
}

impl Judging {
    pub(crate) fn rules(&self) -> Rules {
        Rules::default()
            .compat(self.compat)
            .profile(self.profile)
            .allow(self.allow.clone())
            .warnings_are_errors(self.warnings == Warnings::Error)
            .allow_ted(self.allow_ted)
            .lints(false)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Warnings {
    Warn,
    Error,
    Allow,
}

fn profiles() -> impl TypedValueParser<Value = Profile> {
    named(Profile::ALL.map(|profile| (profile, profile.name().into())))
}

/// Properties that the text of a program may leave unspecified.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct TextOptions {
    /// The stage of AGAL text, needed only if its registers do not determine the stage; for GLSL, the default is the stage in the
    /// file's name
    #[arg(long, value_parser = stages())]
    pub(crate) stage: Option<Stage>,
    /// The version of AGAL text; by default the lowest version that has every opcode and register in the text
    #[arg(long, value_name = "N", value_parser = whole(1..=4), allow_negative_numbers = true)]
    pub(crate) agal_version: Option<u32>,
    /// The entry point to take from WGSL, GLSL, HLSL or SPIR-V, needed only if there are several entry points; may be repeated, once
    /// for each stage
    #[arg(long = "entry-point", value_name = "NAME")]
    pub(crate) entry_points: Vec<String>,
    /// The language of text: AGAL for Adobe's mini assembler or macro assembler, a procedure of Alternativa3D, or the
    /// unified-shader instruction set. `auto` detects the language from the first line, macros, aliases and conditions
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) language: LanguageName,
    /// Define a name for `#if`, with the value 1 by default; may be repeated
    #[arg(short = 'D', long = "define", value_name = "NAME[=NUMBER]", value_parser = define)]
    pub(crate) defines: Vec<(String, f64)>,
}

fn define(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letter) {
        return Err(format!("`{name}` is not a name: use letters, digits and _, and do not begin with a digit"));
    }
    match value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((name.to_string(), value)),
        _ => Err(format!("`{value}` is not a number")),
    }
}

fn override_value(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("write a name and a value, such as scale=1.5")?;
    if name.is_empty() {
        return Err("the name before `=` is missing".to_string());
    }
    let number = match value {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => value.parse::<f64>().ok().filter(|value| value.is_finite()),
    };
    let number = number.ok_or_else(|| format!("`{value}` is not a number, `true` or `false`"))?;
    Ok((name.to_string(), number))
}

fn texel_format(text: &str) -> Result<(String, TexelFormat), String> {
    let (name, format) = text.split_once('=').ok_or("write a name and a format, such as out=rgba8unorm")?;
    if name.is_empty() {
        return Err("the name before `=` is missing".to_string());
    }
    match TexelFormat::ALL.into_iter().find(|known| known.name() == format) {
        Some(format) => Ok((name.to_string(), format)),
        None => {
            let known = TexelFormat::ALL.map(TexelFormat::name).join(", ");
            Err(format!("`{format}` is not a texel format; the formats are {known}"))
        }
    }
}

/// The options for reading and interpreting AGAL.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// The comparison of `ifg`
    #[arg(long, value_enum, default_value = "greater-equal")]
    pub(crate) ifg: Ifg,
    /// The conversion of a computed index to an integer
    #[arg(long, value_enum, default_value = "round")]
    pub(crate) index: Index,
    /// Interpret the offset of an indirect read as a signed byte
    #[arg(long)]
    pub(crate) signed_offsets: bool,
    /// The debug table of an input module, if it is in a separate file
    #[arg(long, value_name = "FILE")]
    pub(crate) debug_table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) naming: Naming,
    /// Give a value to an `override` of WGSL, or to a specialisation constant of GLSL or SPIR-V, by its name or its number; may be
    /// repeated. A bool is `true` or `false`
    #[arg(long = "override", value_name = "NAME=VALUE", value_parser = override_value)]
    pub(crate) overrides: Vec<(String, f64)>,
    /// Give a format to a storage texture of GLSL, HLSL or SPIR-V that states none, such as out=rgba8unorm; may be repeated
    #[arg(long = "texel-format", value_name = "NAME=FORMAT", value_parser = texel_format)]
    pub(crate) texel_formats: Vec<(String, TexelFormat)>,
    /// The version of GLSL that the input is read as, such as 330 or 300es; by default, the version that the source states
    #[arg(long, value_name = "VERSION")]
    pub(crate) glsl_version: Option<GlslVersion>,
    /// The graphics interface whose coordinate system the GLSL, HLSL or SPIR-V code uses; by default, Vulkan for SPIR-V, GLSL 4.40
    /// and up, and GLSL ES 3.10 and up; OpenGL for older GLSL; and Direct3D for HLSL
    #[arg(long, value_name = "INTERFACE", value_parser = words(Convention::WORDS))]
    pub(crate) source_convention: Option<Convention>,
    /// Ignore the names that comments and aliases of AGAL text give to registers
    #[arg(long)]
    pub(crate) no_source_names: bool,
    /// Replace constants by literals if AGAL text in the macro language states their values, so that the application need not
    /// upload the constants
    #[arg(long)]
    pub(crate) inline_constants: bool,
}

impl Reading {
    /// Reports whether all options for reading programs have their default values.
    pub(crate) fn is_default(&self) -> bool {
        let text = &self.text;
        let judging = &self.judging;
        text.stage.is_none()
            && text.agal_version.is_none()
            && text.language == LanguageName::Auto
            && text.defines.is_empty()
            && text.entry_points.is_empty()
            && self.overrides.is_empty()
            && self.texel_formats.is_empty()
            && self.glsl_version.is_none()
            && self.source_convention.is_none()
            && judging.compat == Compat::Lenient
            && judging.profile.is_none()
            && judging.allow.is_empty()
            && !judging.allow_ted
            && self.ifg == Ifg::GreaterEqual
            && self.index == Index::Round
            && !self.signed_offsets
            && self.debug_table.is_none()
    }
}

/// Names for registers.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Naming {
    /// Name registers, and give constants and attributes a type: `vc0..3=clip:mat4`, `va1=uv:float2`, `fs0=albedo`, `u4=tint`;
    /// may be repeated (docs/names.md)
    #[arg(long = "name", value_name = "REGISTERS=NAME[:TYPE]", value_parser = entry)]
    pub(crate) given: Vec<Entry>,
    /// A TOML file of names, with lines such as `"vc0..3" = "clip: mat4"`; by default `lit.names.toml` in the folder of
    /// `lit.vert.agal`, if the file exists
    #[arg(long = "names", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

fn entry(text: &str) -> Result<Entry, String> {
    Names::parse_entry(text).map_err(|error| error.to_string())
}

/// Parses the number of a finding that can be allowed. AGAL and the unified-shader instruction set have no finding numbers in
/// common.
fn code(text: &str) -> Result<u16, String> {
    let (is_agal, is_es2, digits) = match (text.strip_prefix("AGAL"), text.strip_prefix("ES")) {
        (Some(digits), _) => (true, false, digits),
        (_, Some(digits)) => (false, true, digits),
        _ => (true, true, text),
    };
    let Ok(code) = digits.parse() else {
        return Err("write the number of a finding, such as 3648, AGAL3648 or ES2126".to_string());
    };
    let is_known = |rows: &[KindRow]| rows.iter().any(|row| row.codes().any(|known| known == code));
    let sets = [(is_agal, InstructionSet::Agal), (is_es2, InstructionSet::UnifiedShader)];
    let mut sets = sets.into_iter().filter(|(is_meant, _)| *is_meant).map(|(_, set)| set);
    if sets.clone().any(|set| set.allowable().contains(&code)) {
        return Ok(code);
    }
    match sets.any(|set| is_known(set.findings())) {
        true => Err(format!("a program with finding {code} has no meaning, so the finding cannot be allowed")),
        false => Err(format!(
            "there is no finding {text}; docs/findings.md lists the findings about AGAL, and docs/isa.md those about the unified-shader set"
        )),
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    /// Detect the language from the text
    #[default]
    Auto,
    /// Adobe's mini assembler
    Mini,
    /// Adobe's macro assembler
    Macro,
    /// A procedure of Alternativa3D
    Alternativa,
    /// The unified-shader instruction set; with `--stage`, the text need not begin with `!!ES2vp1.0` or `!!ES2fp1.0`
    Es2,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ifg {
    /// Greater or equal, as published
    GreaterEqual,
    /// Greater
    Strict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Index {
    /// To the nearest integer
    Round,
    /// Toward zero
    Trunc,
}
