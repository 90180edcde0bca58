//! The command line.

mod picture;

use std::ffi::OsString;
use std::path::PathBuf;

use agal_front::finding::{Kind as Finding, allowable};
use agal_front::{Compat, Profile, Rules};
use clap::builder::PossibleValue;
use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use picture::{Compare, Named, Render};

/// Carries AGAL shaders (Flash's and AIR's Stage3D) to SPIR-V, WGSL and GLSL.
#[derive(Debug, Parser)]
#[command(name = "agalc", version, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Translate a program, or a vertex and a fragment program as a linked pair
    Compile(Compile),
    /// Assemble AGAL text into bytecode
    Assemble(Assemble),
    /// Disassemble AGAL bytecode into text that assembles to the same bytes
    Disassemble(Disassemble),
    /// Print the SDLSHADERBC module of a program in text form
    Print(Show),
    /// Show every word of a file with its meaning
    Dump(Dump),
    /// Say everything that is wrong or odd about a program or a pair, as the player would and more
    Validate(Validate),
    /// List the varyings of a pair, and say what the player would when it links it
    Link(Link),
    /// Check programs and modules, and say nothing when all is well
    Verify(Check),
    /// Say what a program reads and writes
    Inspect(Inspect),
    /// Run one invocation of a program, and show what its registers hold
    Run(Run),
    /// Draw a picture of a scene, or of a mesh with a vertex and a fragment program
    Render(Render),
    /// Say how much two pictures differ
    Compare(Compare),
    /// Take the debug table out of a module, or put it into a file of its own
    Strip(Strip),
}

#[derive(Debug, clap::Args)]
pub(crate) struct Compile {
    /// One input, or a vertex and a fragment program: AGAL text, AGAL bytecode or SDLSHADERBC, told apart by their
    /// first bytes; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// A file to write; may be given again. Its extension says what: .spv, .spvasm, .wgsl, .glsl, .vert, .frag, .sdlbc,
    /// .sdlasm; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) outputs: Vec<PathBuf>,
    /// What to write, whatever the extensions say
    #[arg(long, value_name = "KIND")]
    pub(crate) to: Option<Kind>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The version of GLSL
    #[arg(long, value_enum, default_value = "450")]
    pub(crate) glsl: GlslVersion,
    /// Depth range of clip space; by default the target's own
    #[arg(long, value_enum)]
    pub(crate) depth: Option<DepthRange>,
    /// Whether the vertex stage negates y; by default only where the target's clip space has y down (SPIR-V)
    #[arg(long, value_enum)]
    pub(crate) flip_y: Option<FlipY>,
    /// Take the varyings that the fragment stage does not read out of a pair, and what was computed for them alone
    #[arg(long)]
    pub(crate) prune_varyings: bool,
    /// Number the varyings of a pair 0, 1, 2 ... in the order of their locations
    #[arg(long)]
    pub(crate) pack_varyings: bool,
    /// What the debug table of SDLSHADERBC says of AGAL programs
    #[arg(long, value_enum, default_value = "names")]
    pub(crate) debug: DebugLevel,
    /// How the sections of SDLSHADERBC files are numbered
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) dialect: DialectName,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) show: Show,
    /// Draw the structure of the code and its calls instead, for Graphviz (`dot -Tsvg`)
    #[arg(long)]
    pub(crate) graph: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Inspect {
    #[command(flatten)]
    pub(crate) show: Show,
    /// How to say it: for people, or in JSON
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// A vertex or a fragment program: AGAL text or bytecode, or an SDLSHADERBC file or text; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// What a register holds: `va0=1,2,3`, `v0=`, `vc4=` or `fc4=`, `iid=`; `fs0=` a texture of that colour, or a texture as in a
    /// scene, `fs0=wood.png`. May be given again. Missing components are 0,0,0,1, of constants 0; longer lists of constants go
    /// on in the next registers. An SDLSHADERBC module's inputs are named as it names them, elements as in `fc[4]`
    #[arg(long = "set", value_name = "REGISTER=VALUE", value_parser = picture::parsed(setting))]
    pub(crate) settings: Vec<Setting>,
    /// A TOML file with `constants` as in a scene; `--set` comes after it
    #[arg(long, value_name = "FILE")]
    pub(crate) constants: Option<PathBuf>,
    /// Show each token and what it does; of a module, each result that is computed
    #[arg(long)]
    pub(crate) trace: bool,
    /// How to say it: for people, or in JSON
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

/// What a register or an input is to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    /// The register or the input as it was written.
    pub(crate) name: String,
    pub(crate) values: Set,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Set {
    /// Numbers, each as it was written.
    Numbers(Vec<String>),
    /// A texture, as scenes name one.
    Texture(Named),
}

fn setting(text: OsString) -> Result<Setting, String> {
    let (name, value) =
        picture::halves(text).ok_or("a setting is a register, `=` and its numbers, such as va0=1,2,3".to_string())?;
    if name.is_empty() {
        return Err("a setting begins with the register, such as va0=1,2,3".to_string());
    }
    let value = match value {
        Named::Word(value) => value,
        file => return Ok(Setting { name, values: Set::Texture(file) }),
    };
    let parts: Vec<&str> = value.split(',').map(str::trim).collect();
    // What is no number and has letters is a texture's name, or a table.
    let is_texture = value.starts_with('{')
        || parts.iter().any(|part| part.parse::<f32>().is_err() && part.contains(|c: char| c.is_ascii_alphabetic()));
    let values = match is_texture {
        true => Set::Texture(Named::Word(value)),
        false => {
            parts.iter().try_for_each(|part| number(part).map(drop))?;
            Set::Numbers(parts.into_iter().map(str::to_string).collect())
        }
    };
    Ok(Setting { name, values })
}

/// A number as a register holds it.
pub(crate) fn number(text: &str) -> Result<f32, String> {
    let named = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    match text.parse::<f32>() {
        Ok(value) if value.is_finite() || matches!(named.as_str(), "inf" | "infinity" | "nan") => Ok(value),
        Ok(_) => Err(format!("`{text}` is larger than a register can hold; infinity is written inf")),
        Err(_) => Err(format!("`{text}` is no number; numbers are like 1, -0.5, 1e-3, inf, nan, with commas between")),
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Strip {
    /// The SDLSHADERBC file; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    /// A file for the debug table, which belongs to the stripped file then
    #[arg(long, value_name = "OUT")]
    pub(crate) debug_table: Option<PathBuf>,
    /// How the sections of the file are numbered; by default as in the input
    #[arg(long, value_enum)]
    pub(crate) dialect: Option<DialectName>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Convert {
    /// The input; `-` is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Validate {
    /// One program, or a vertex and a fragment program: AGAL text or bytecode; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: Saying,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Link {
    /// A vertex and a fragment program, or a text with both as parts: AGAL text or bytecode; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: Saying,
}

/// How programs are read and judged, and how that is said.
#[derive(Debug, clap::Args)]
pub(crate) struct Saying {
    /// How to say it: for people on standard error, or in JSON on standard output
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// The same as --format json
    #[arg(long)]
    pub(crate) json: bool,
    /// The byte order that the `ByteArray` of bytecode has when it is uploaded; the player takes little endian alone
    #[arg(long, value_enum, default_value = "little")]
    pub(crate) endian: Endian,
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Endian {
    Little,
    Big,
}

/// How findings about AGAL are judged.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Judging {
    /// Whose judgement counts: what the player refuses is refused, or what has one plain meaning passes with a warning
    #[arg(long, value_enum, default_value = "lenient")]
    pub(crate) compat: CompatName,
    /// The Context3D profile that the program is for; without it none is held against it
    #[arg(long, value_enum, value_name = "PROFILE")]
    pub(crate) profile: Option<ProfileName>,
    /// Let findings of this number pass (3648 or AGAL3648; several with commas): an error with a meaning becomes a warning,
    /// a warning is not said. What is not written reads as zero
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = code)]
    pub(crate) allow: Vec<u16>,
    /// What warnings are: `error` refuses for them, `allow` does not say them
    #[arg(short = 'W', long = "warnings", value_enum, default_value = "warn", value_name = "LEVEL")]
    pub(crate) warnings: Warnings,
    /// Take `ted`, of which no published source says where its level of detail comes from
    #[arg(long)]
    pub(crate) allow_ted: bool,
}

impl Judging {
    /// The rules that the options stand for.
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            compat: match self.compat {
                CompatName::Lenient => Compat::Lenient,
                CompatName::Player => Compat::Player,
            },
            profile: self.profile.map(|name| name.0),
            allow: self.allow.clone(),
            warnings_are_errors: self.warnings == Warnings::Error,
            allow_ted: self.allow_ted,
            lints: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CompatName {
    /// What has one plain meaning passes with a warning
    Lenient,
    /// What the player refuses is refused
    Player,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Warnings {
    Warn,
    Error,
    Allow,
}

/// A profile by Adobe's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ProfileName(Profile);

impl ValueEnum for ProfileName {
    #[expect(clippy::indexing_slicing, reason = "both arrays are as long, and this runs when it is compiled")]
    fn value_variants<'a>() -> &'a [ProfileName] {
        const ALL: [ProfileName; Profile::ALL.len()] = {
            let mut all = [ProfileName(Profile::Baseline); Profile::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = ProfileName(Profile::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()))
    }
}

#[derive(Debug, clap::Args)]
pub(crate) struct Disassemble {
    #[command(flatten)]
    pub(crate) convert: Convert,
    /// Say in comments where each token stands, its words, what of its result is read, and what is live behind it
    #[arg(long)]
    pub(crate) annotate: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Assemble {
    #[command(flatten)]
    pub(crate) convert: Convert,
    /// Write text instead, with the macro language expanded into plain statements
    #[arg(long)]
    pub(crate) expand: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Check {
    /// One input, or a vertex and a fragment program; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) checked: Check,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
}

/// What text may leave open.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct TextOptions {
    /// The stage of AGAL text, where its registers do not say
    #[arg(long, value_enum)]
    pub(crate) stage: Option<StageName>,
    /// The version of AGAL text; by default the lowest that has all it uses
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4))]
    pub(crate) agal_version: Option<u32>,
    /// The language of AGAL text: the mini assembler's, or the macro assembler's, whose macros, aliases and conditions
    /// make it known by themselves
    #[arg(long, value_enum, default_value = "auto")]
    pub(crate) language: LanguageName,
    /// Give a name that `#if` asks for a value, 1 by default; may be given again
    #[arg(short = 'D', long = "define", value_name = "NAME[=NUMBER]", value_parser = define)]
    pub(crate) defines: Vec<(String, f64)>,
}

fn define(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || !name.chars().all(letter) {
        return Err(format!("`{name}` is no name: letters, digits and _ make one"));
    }
    match value.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((name.to_string(), value)),
        _ => Err(format!("`{value}` is no number")),
    }
}

/// How AGAL is read and understood.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reading {
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// What `ifg` asks for
    #[arg(long, value_enum, default_value = "greater-equal")]
    pub(crate) ifg: Ifg,
    /// How a computed index becomes a whole number
    #[arg(long, value_enum, default_value = "round")]
    pub(crate) index: Index,
    /// Take the offset of an indirect read as a signed byte
    #[arg(long)]
    pub(crate) signed_offsets: bool,
    /// The debug table of an SDLSHADERBC input, where it is a file of its own
    #[arg(long, value_name = "FILE")]
    pub(crate) debug_table: Option<PathBuf>,
}

/// The number of a finding that can be allowed.
fn code(text: &str) -> Result<u16, String> {
    let digits = text.strip_prefix("AGAL").unwrap_or(text);
    let Ok(code) = digits.parse() else {
        return Err("a finding is named by its number, such as 3648 or AGAL3648".to_string());
    };
    if allowable().any(|known| known == code) {
        return Ok(code);
    }
    match Finding::ROWS.iter().any(|row| row.codes().any(|known| known == code)) {
        true => Err(format!("a program with finding {code} has no meaning, so it cannot be allowed")),
        false => Err(format!("there is no finding {code}; docs/findings.md lists them")),
    }
}

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// SPIR-V for Vulkan
    Spirv,
    /// The same as text
    SpirvAsm,
    /// WGSL for WebGPU
    Wgsl,
    /// GLSL for OpenGL
    Glsl,
    /// The SDLSHADERBC file
    Sdlbc,
    /// The same as text
    Sdlasm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlslVersion {
    /// Desktop, core profile
    #[value(name = "450")]
    Core450,
    /// Desktop, core profile
    #[value(name = "330")]
    Core330,
    /// OpenGL ES 3 and WebGL 2
    #[value(name = "300es")]
    Es300,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthRange {
    /// z in 0..w
    ZeroToOne,
    /// z in -w..w
    NegOneToOne,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FlipY {
    /// y stays as it is
    None,
    /// y is negated
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugLevel {
    /// Nothing
    None,
    /// The registers that values are of
    Names,
    /// Also the source's name and each instruction's token
    Lines,
    /// Also the source's text
    Full,
}

impl From<DebugLevel> for load::DebugLevel {
    fn from(level: DebugLevel) -> load::DebugLevel {
        match level {
            DebugLevel::None => load::DebugLevel::None,
            DebugLevel::Names => load::DebugLevel::Names,
            DebugLevel::Lines => load::DebugLevel::Lines,
            DebugLevel::Full => load::DebugLevel::Full,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectName {
    /// As in the published text: a function is 1
    Text,
    /// As in the published header: a function is 0
    Header,
}

impl From<DialectName> for sdlbc::Dialect {
    fn from(name: DialectName) -> sdlbc::Dialect {
        match name {
            DialectName::Text => sdlbc::Dialect::Text,
            DialectName::Header => sdlbc::Dialect::Header,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StageName {
    Vertex,
    Fragment,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    /// Whatever the text looks like
    #[default]
    Auto,
    /// Adobe's mini assembler
    Mini,
    /// Adobe's macro assembler
    Macro,
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
    /// To the nearest
    Round,
    /// Toward zero
    Trunc,
}
