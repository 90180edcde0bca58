//! The command line of agalc: its commands, their arguments and their help.

mod about;
mod building;
mod examples;
mod extract;
mod layout;
mod messages;
mod optimising;
mod picture;
mod reading;

use std::ffi::OsString;
use std::path::PathBuf;

pub(crate) use agalc::DebugLevel;
use agalc::Stage;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use sdlbc::Dialect;

use crate::output::Kind;
use layout::{stages, words};
use picture::floats;

pub(crate) use about::{Completions, Explain, LONG_VERSION, Lsp, Man, VERSION};
pub(crate) use building::{BatchOptions, Building};
pub(crate) use extract::{Extract, Variants};
pub(crate) use layout::LayoutOptions;
pub(crate) use messages::{Detail, Format, MessageOptions};
pub(crate) use optimising::Optimising;
pub(crate) use picture::{Compare, Named, Render};
pub(crate) use reading::{Ifg, Index, Judging, LanguageName, Naming, Reading, TextOptions, Warnings};

/// Translates AGAL shaders (Stage3D in Flash and AIR) into SPIR-V, WGSL, GLSL, HLSL and MSL, and WGSL, GLSL, HLSL and SPIR-V into AGAL.
#[derive(Debug, Parser)]
#[command(name = "agalc", version = LONG_VERSION, arg_required_else_help = true)]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) messages: MessageOptions,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Args {
    /// Parses the command line, and returns the name of the command and its arguments. Requests for help or for the version are
    /// returned as clap errors.
    pub(crate) fn read(arguments: &[OsString], messages: &MessageOptions) -> Result<(String, Args), clap::Error> {
        let mut command = command().color(messages.clap_color());
        let matches = command.try_get_matches_from_mut(arguments)?;
        let args = Args::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok((matches.subcommand_name().unwrap_or_default().to_string(), args))
    }
}

/// Returns the name of the command in arguments that cannot be parsed, or an empty string if the arguments name no command.
pub(crate) fn command_in(arguments: &[OsString]) -> String {
    let command = Args::command();
    let named = arguments.iter().skip(1).find_map(|argument| command.find_subcommand(argument));
    named.map(|found| found.get_name().to_string()).unwrap_or_default()
}

/// The identifiers of the options that `agalc compile -h` lists.
const USUAL: [&str; 16] = [
    "outputs",
    "to",
    "stage",
    "profile",
    "allow",
    "allow_ted",
    "file",
    "glsl",
    "shader_model",
    "msl_version",
    "reflect",
    "debug",
    "level",
    "layout",
    "batch",
    "jobs",
];

/// Shortens an argument's help in `-h` to the first statement of the help text; `--help` shows the complete text.
fn short_help(argument: clap::Arg) -> clap::Arg {
    let full = argument.get_help().map(ToString::to_string).filter(|_| argument.get_long_help().is_none());
    match full.and_then(|full| Some((full.get(..statement_end(&full)?)?.to_string(), full))) {
        Some((short, full)) => argument.help(short).long_help(full),
        None => argument,
    }
}

/// Returns the byte offset at which the first statement of a help text ends. A statement ends at punctuation outside quotes and
/// brackets, after at least 24 bytes.
fn statement_end(text: &str) -> Option<usize> {
    const SHORTEST: usize = 24;
    let (mut quote, mut depth) = (None, 0_i32);
    text.char_indices().find_map(|(at, c)| {
        let rest = text.get(at..).unwrap_or_default();
        let is_end = ["; ", ". ", ": "].iter().any(|stop| rest.starts_with(stop)) || rest.starts_with(" (docs/");
        if is_end && quote.is_none() && depth == 0 && at >= SHORTEST {
            return Some(at);
        }
        match c {
            '`' | '"' if quote.is_none() => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        None
    })
}

/// Builds the description of the command line, and adds examples and exit codes to the help of each command.
pub(crate) fn command() -> clap::Command {
    let mut command = Args::command().mut_args(short_help).mut_subcommands(|of| of.mut_args(short_help));
    command = command.mut_subcommand("compile", |compile| {
        let is_rare = |argument: &clap::Arg| !argument.is_positional() && !USUAL.contains(&argument.get_id().as_str());
        compile
            .mut_args(|argument| if is_rare(&argument) { argument.hide_short_help(true) } else { argument })
            .after_help("`agalc compile --help` has all options, and examples.")
    });
    for (name, help) in examples::help() {
        command = match name {
            "agalc" => command.after_long_help(help),
            name => command.mut_subcommand(name, |of| of.after_long_help(help)),
        };
    }
    command
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Translate a program, or a linked pair of a vertex and a fragment program
    Compile(Box<Compile>),
    /// Find the AGAL in SWF, SWC and ABC files and in sources, and write it to a folder
    #[command(override_usage = "agalc extract [OPTIONS] --output <DIR> <IN>...\n       \
                                agalc extract [OPTIONS] --output <DIR> --from-trace <FILE> [IN]...")]
    Extract(Box<Extract>),
    /// Assemble AGAL text into bytecode
    Assemble(Assemble),
    /// Disassemble AGAL bytecode into text that assembles to the same bytes
    Disassemble(Disassemble),
    /// Format AGAL text: align operands in columns and indent conditionals, without changing the program
    Fmt(Fmt),
    /// Make an AGAL program shorter: use fewer tokens and temporaries, with bit-identical results
    #[command(alias = "optimize")]
    Optimise(Optimise),
    /// Print a program's module as text
    Print(Show),
    /// Dump a file word by word, with the meaning of each word
    Dump(Dump),
    /// Check a program or a pair against the rules of Flash Player, and report likely mistakes
    Validate(Validate),
    /// Check a pair against the rules of Flash Player, and list its varyings
    Link(Link),
    /// Check that an AGAL program can be translated, or that a module follows the rules of its format; print nothing on success
    Verify(Verify),
    /// List the inputs, outputs and resources of a program
    Inspect(Show),
    /// Check a draw with a program or pair as Flash Player does: streams, textures and targets
    CheckDraw(CheckDraw),
    /// Run one invocation of a program, and print its outputs
    Run(Run),
    /// Draw a picture of a scene, or of a mesh with a vertex and a fragment program
    Render(Render),
    /// Measure how much two pictures differ
    Compare(Compare),
    /// Remove the debug table from a module, or move it to a separate file
    Strip(Strip),
    /// Explain a finding or a rule by its number: the cause, an example, and the corrected example
    Explain(Explain),
    /// Serve an editor over the language server protocol: diagnostics, hover, completion, formatting and more
    Lsp(Lsp),
    /// Write a completion script for a shell
    Completions(Completions),
    /// Write the manual pages
    Man(Man),
}

impl Command {
    /// Reports whether the command's JSON report contains the messages and a list of programs.
    pub(crate) fn reports_programs(&self) -> bool {
        matches!(self, Command::Validate(_) | Command::Link(_))
    }

    /// Reports whether the command's report consists of findings, in which case `--format sarif` writes SARIF to standard output.
    pub(crate) fn reports_findings(&self) -> bool {
        matches!(self, Command::Validate(_) | Command::Link(_) | Command::CheckDraw(_))
    }
}

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Compile {
    /// One input, or a vertex and a fragment program: AGAL text or bytecode, WGSL, GLSL, SPIR-V, or a module as an SDLSHADERBC
    /// file or text. The format is detected from the first bytes, and `-` is standard input. Folders, patterns and more than two
    /// inputs are a batch
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// A file to write, in the format of its extension: .spv, .spvasm, .wgsl, .glsl, .vert, .frag, .comp, .hlsl, .metal, .msl,
    /// .sdlbc, .sdlasm, .agal, .agalbc; may be repeated. `-` is standard output. The output of a batch is a folder
    #[arg(short, long = "output", value_name = "OUT")]
    pub(crate) outputs: Vec<PathBuf>,
    /// The format to write, regardless of the extension; a batch takes one or several formats, separated by commas
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    pub(crate) to: Vec<Kind>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    /// The version of GLSL; by default the layout's version, which is 300es in webgl2 and 450 in other layouts
    #[arg(long, value_parser = words(agalc::Glsl::WORDS))]
    pub(crate) glsl: Option<agalc::Glsl>,
    /// The shader model of HLSL: 5.0, 5.1, 6.0 ... 6.9
    #[arg(long, value_name = "MODEL", default_value_t, value_parser = shader_model)]
    pub(crate) shader_model: backends::ShaderModel,
    /// The version of the Metal Shading Language: 1.0, 1.1, 1.2, 2.0 ... 2.4, 3.0, 3.1, 3.2, 4.0
    #[arg(long, value_name = "VERSION", default_value_t, value_parser = msl_version)]
    pub(crate) msl_version: backends::MslVersion,
    /// Remove the varyings that a pair's fragment stage does not read, and the code that computes only these varyings
    #[arg(long)]
    pub(crate) prune_varyings: bool,
    /// Renumber the varyings of a pair to locations 0, 1, 2 ... in the order of their old locations
    #[arg(long)]
    pub(crate) pack_varyings: bool,
    /// Also write the program's inputs, outputs and resources, with their names in each output, as JSON (docs/reflection.md); a
    /// batch writes the JSON files to this folder
    #[arg(long, value_name = "FILE")]
    pub(crate) reflect: Option<PathBuf>,
    /// The form of the reflection JSON
    #[arg(long, value_enum, default_value = "agalc", requires = "reflect")]
    pub(crate) reflect_format: ReflectFormat,
    /// What the debug table of a written module contains about AGAL programs
    #[arg(long, default_value_t, value_parser = words(DebugLevel::WORDS))]
    pub(crate) debug: DebugLevel,
    /// How the sections of SDLSHADERBC files are numbered
    #[arg(long, default_value_t, value_parser = words(Dialect::WORDS))]
    pub(crate) dialect: Dialect,
    #[command(flatten)]
    pub(crate) optimising: Optimising,
    #[command(flatten)]
    pub(crate) layout: LayoutOptions,
    #[command(flatten)]
    pub(crate) batch: BatchOptions,
    #[command(flatten)]
    pub(crate) building: Building,
}

#[derive(Debug, clap::Args)]
pub(crate) struct CheckDraw {
    #[command(flatten)]
    pub(crate) checked: Check,
    /// The state of the draw, as TOML or JSON (docs/reflection.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) state: PathBuf,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    pub(crate) show: Show,
    /// Write the control flow and the calls as a Graphviz graph instead (`dot -Tsvg`)
    #[arg(long)]
    pub(crate) graph: bool,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// A vertex, fragment or compute program: AGAL text or bytecode, WGSL, GLSL, SPIR-V, or an SDLSHADERBC file or text; `-` is standard
    /// input
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Set a register, such as `va0=1,2,3`, `v0=`, `vc4=`, `fc4=` or `iid=`; may be repeated. `fs0=` with numbers sets a texture
    /// of that colour, and `fs0=wood.png` sets a texture in the notation of scenes. Missing components are filled in from (0, 0,
    /// 0, 1), or are 0 in constants. A longer list of constants continues in the next registers. The inputs of a module are set
    /// by their names, and array elements as in `fc[4]`
    #[arg(long = "set", value_name = "REGISTER=VALUE", value_parser = picture::parsed(setting))]
    pub(crate) settings: Vec<Setting>,
    /// A storage buffer of a module: either a number of elements, all zero, or a file of numbers; may be repeated. `--set` sets a
    /// storage buffer to numbers on the command line
    #[arg(long = "buffer", value_name = "NAME=COUNT|FILE", value_parser = picture::parsed(buffer))]
    pub(crate) buffers: Vec<(String, Named)>,
    /// A storage texture of a module: its size in texels, such as out=8x8, or out=8x8x2 for a texture with layers or a 3D
    /// texture; may be repeated. All texels are zero, unless a file of numbers follows after a comma. `--set` sets texels to
    /// numbers on the command line
    #[arg(long = "image", value_name = "NAME=WxH[xD][,FILE]", value_parser = picture::parsed(image))]
    pub(crate) images: Vec<Image>,
    /// The numbers of workgroups in x, y and z for a compute function; an omitted number is 1
    #[arg(long, value_name = "X[,Y[,Z]]", default_value = "1", value_parser = workgroups)]
    pub(crate) workgroups: [u32; 3],
    /// A TOML file with `constants` as in a scene; `--set` overrides its values
    #[arg(long, value_name = "FILE")]
    pub(crate) constants: Option<PathBuf>,
    /// Print each token and its effect; for a module, print each result
    #[arg(long)]
    pub(crate) trace: bool,
    /// The float format of programs: 32 bits, or 24 bits with a 7-bit exponent and a 16-bit mantissa (docs/running.md)
    #[arg(long, value_parser = floats(), value_name = "BITS", default_value = "32")]
    pub(crate) float: sdlbc_interp::Float,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) reading: Reading,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    /// The name of the register or input, as written in the option.
    pub(crate) name: String,
    pub(crate) values: Set,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Set {
    /// Numbers, as written in the option.
    Numbers(Vec<String>),
    /// A texture in the notation of scenes.
    Texture(Named),
}

fn setting(text: OsString) -> Result<Setting, String> {
    let (name, value) =
        picture::halves(text).ok_or("a setting is a register, `=` and numbers, such as va0=1,2,3".to_string())?;
    if name.is_empty() {
        return Err("a setting begins with the register, such as va0=1,2,3".to_string());
    }
    let value = match value {
        Named::Word(value) => value,
        file => return Ok(Setting { name, values: Set::Texture(file) }),
    };
    let parts: Vec<&str> = value.split(',').map(str::trim).collect();
    // A texture is a table, or a name that contains letters and does not parse as a number.
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

fn buffer(text: OsString) -> Result<(String, Named), String> {
    let what = "write a buffer as its name, `=`, and a number of elements or a file, such as out=64";
    picture::halves(text).filter(|(name, _)| !name.is_empty()).ok_or(what.to_string())
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Image {
    pub(crate) name: String,
    /// The width and height in texels, and the depth or the number of layers.
    pub(crate) size: [u32; 3],
    /// The file with the numbers of the texels, or `None` if all texels are zero.
    pub(crate) file: Option<PathBuf>,
}

fn image(text: OsString) -> Result<Image, String> {
    let what = "write a storage texture as its name, `=` and its size, such as out=8x8, optionally followed by a comma and a file of numbers";
    let text = text.to_str().ok_or(what)?;
    let (name, rest) = text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or(what)?;
    let (size, file) = match rest.split_once(',') {
        Some((size, file)) => (size, Some(PathBuf::from(file))),
        None => (rest, None),
    };
    let sizes = size.split('x').map(|part| part.parse().ok().filter(|&size| size > 0));
    let sizes: Vec<u32> = sizes.collect::<Option<_>>().ok_or(what)?;
    let size = match sizes[..] {
        [width, height] => [width, height, 1],
        [width, height, depth] => [width, height, depth],
        _ => return Err(what.to_string()),
    };
    Ok(Image { name: name.to_string(), size, file })
}

/// The maximum number of workgroups in each dimension of a dispatch.
const MOST_WORKGROUPS: u32 = 65_535;

fn workgroups(text: &str) -> Result<[u32; 3], String> {
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    if parts.len() > all.len() {
        return Err("write at most three numbers of workgroups, for x, y and z".to_string());
    }
    for (count, part) in all.iter_mut().zip(parts) {
        let parsed = part.parse().ok().filter(|&count| count <= MOST_WORKGROUPS);
        *count = parsed.ok_or(format!("`{part}` is not a number of workgroups from 0 to {MOST_WORKGROUPS}"))?;
    }
    Ok(all)
}

pub(crate) fn number(text: &str) -> Result<f32, String> {
    let named = text.trim_start_matches(['-', '+']).to_ascii_lowercase();
    match text.parse::<f32>() {
        Ok(value) if value.is_finite() || matches!(named.as_str(), "inf" | "infinity" | "nan") => Ok(value),
        Ok(_) => Err(format!("`{text}` is too large for a register; write inf for infinity")),
        Err(_) => Err(format!(
            "`{text}` is not a number; write numbers such as 1, -0.5, 1e-3, inf or nan, separated by commas"
        )),
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
    /// Write the debug table to this file, for use with the stripped file
    #[arg(long, value_name = "OUT")]
    pub(crate) debug_table: Option<PathBuf>,
    /// How the sections of the file are numbered; by default, the numbering of the input is kept
    #[arg(long, value_parser = words(Dialect::WORDS))]
    pub(crate) dialect: Option<Dialect>,
}

#[derive(Clone, Debug, clap::Args)]
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
    /// One program, or a vertex and a fragment program: AGAL as text or bytecode, or unified-shader programs; `-` is standard
    /// input. Folders, patterns and more than two inputs are a batch
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: Reporting,
    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Link {
    /// A vertex and a fragment program, or one text that contains both programs: AGAL as text or bytecode, or unified-shader
    /// programs; `-` is standard input
    #[arg(required = true, num_args = 1..=2, value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) how: Reporting,
}

/// The options for reading and checking programs, and for reporting findings.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Reporting {
    /// The byte order of the uploaded bytecode in its `ByteArray`; Flash Player accepts only little endian
    #[arg(long, value_enum, default_value = "little")]
    pub(crate) endian: Endian,
    /// The SWF version of the application, to warn about programs whose AGAL version needs a higher SWF version (AGAL 2 needs
    /// 25, AGAL 3 needs 28)
    #[arg(long, value_name = "N")]
    pub(crate) swf_version: Option<u32>,
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

/// The format of the reflection JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReflectFormat {
    /// The form that docs/reflection.md describes
    Agalc,
    /// The form that SDL_shadercross writes: one object per stage
    Shadercross,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Endian {
    Little,
    Big,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Disassemble {
    /// The input; `-` is standard input. Folders, patterns and several inputs are a batch
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The file to write; `-` is standard output. The output of a batch is a folder
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
    /// agalc writes names as comments, and can read the names from these comments
    #[command(flatten)]
    pub(crate) naming: Naming,
    /// Add comments with the number, offset and fields of each token, the used components of its result, and the registers live
    /// after it
    #[arg(long)]
    pub(crate) annotate: bool,
    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Assemble {
    #[command(flatten)]
    pub(crate) convert: Convert,
    /// Write text instead of bytecode, with the macro language expanded into plain statements
    #[arg(long)]
    pub(crate) expand: bool,
}

#[derive(Debug, clap::Args)]
#[command(
    mut_arg("entry_points", |arg| arg.hide(true)),
    mut_arg("stage", |arg| arg.help("The stage of AGAL text, needed only if its registers do not determine it"))
)]
pub(crate) struct Optimise {
    /// An AGAL program, or several; `-` is standard input
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The files to write, one for each input in the same order: bytecode for a name that ends in .agalbc, otherwise text; `-` is
    /// standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) outputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) text: TextOptions,
    #[command(flatten)]
    pub(crate) judging: Judging,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Fmt {
    /// AGAL text files, which are formatted in place; `-` formats standard input and writes the text to standard output
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Change no file; list the files that would change, and exit with 1 if the list is not empty
    #[arg(long)]
    pub(crate) check: bool,
    /// The stage of the programs, needed only if their registers do not determine the stage
    #[arg(long, value_parser = stages(), value_name = "STAGE")]
    pub(crate) stage: Option<Stage>,
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
pub(crate) struct Verify {
    /// One input, or a vertex and a fragment program; `-` is standard input. Folders, patterns and more than two inputs are a
    /// batch
    #[arg(required = true, num_args = 1.., value_name = "IN")]
    pub(crate) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: Reading,
    #[command(flatten)]
    pub(crate) batch: BatchOptions,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) checked: Check,
    /// The file to write; `-` is standard output
    #[arg(short, long = "output", value_name = "OUT", default_value = "-")]
    pub(crate) output: PathBuf,
}

fn shader_model(number: &str) -> Result<backends::ShaderModel, String> {
    let known = backends::ShaderModel::ALL.map(backends::ShaderModel::number).join(", ");
    backends::ShaderModel::numbered(number).ok_or_else(|| format!("the shader models are {known}"))
}

fn msl_version(number: &str) -> Result<backends::MslVersion, String> {
    let known = backends::MslVersion::ALL.map(backends::MslVersion::number).join(", ");
    backends::MslVersion::numbered(number).ok_or_else(|| format!("the versions are {known}"))
}
