//! Inputs: what a file is follows from its first bytes.

use agal_front::assemble::{Alias, AssembleOptions, Language, assemble, expand, parts};
use agal_front::finding::{Finding, SourceMap};
use agal_front::program::Upload;
use agal_front::{Kind, Program, Rules, Stage};
use anyhow::{Result, bail};
use sdlbc::{Comments, Module};

use crate::args::{Endian, Judging, LanguageName, StageName, TextOptions};
use crate::report;

/// An input that was read.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    /// The file's name as it is shown, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// What an input holds.
#[derive(Debug)]
pub(crate) enum Content {
    Agal(Box<Agal>),
    Ir(Box<Ir>),
}

/// An SDLSHADERBC module and where it came from.
#[derive(Debug)]
pub(crate) struct Ir {
    pub(crate) module: Module,
    /// The text it was read from, and its comments.
    pub(crate) text: Option<(String, Comments)>,
}

/// An AGAL program and where it came from.
#[derive(Debug)]
pub(crate) struct Agal {
    pub(crate) program: Program,
    /// The text it was assembled from.
    pub(crate) text: Option<(String, SourceMap)>,
    /// What reading it had to say.
    pub(crate) warnings: Vec<Finding>,
    /// Whether the version was stated.
    pub(crate) version_given: bool,
    /// The aliases of the macro language.
    pub(crate) aliases: Vec<Alias>,
}

impl TextOptions {
    fn assembling(&self, rules: &Rules) -> AssembleOptions {
        let stage = self.stage.map(|stage| match stage {
            StageName::Vertex => Stage::Vertex,
            StageName::Fragment => Stage::Fragment,
        });
        let language = match self.language {
            LanguageName::Auto => Language::Auto,
            LanguageName::Mini => Language::Mini,
            LanguageName::Macro => Language::Macro,
        };
        let (defines, allow) = (self.defines.clone(), rules.allow.clone());
        AssembleOptions { stage, version: self.agal_version, language, defines, allow }
    }
}

/// The programs that the inputs hold, each with what is known of it: a text whose parts are of both stages is a pair.
pub(crate) fn programs(inputs: Vec<Input>, options: &TextOptions) -> Vec<(Input, TextOptions)> {
    let mut programs = Vec::new();
    for input in inputs {
        let parts = std::str::from_utf8(&input.bytes).map_or(Vec::new(), parts);
        let has = |stage| parts.iter().any(|part| part.stage == Some(stage));
        if options.stage.is_none() && has(Stage::Vertex) && has(Stage::Fragment) {
            for stage in [StageName::Vertex, StageName::Fragment] {
                let of = TextOptions { stage: Some(stage), is_part: true, ..options.clone() };
                programs.push((input.clone(), of));
            }
        } else {
            programs.push((input, options.clone()));
        }
    }
    programs
}

/// Whether the bytes are an SDLSHADERBC file's.
pub(crate) fn is_sdlbc(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SDLSHADERBC")
}

/// Whether the bytes are AGAL bytecode, or are so wrong that they are read as such: no text starts with them.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let shown = &bytes[..bytes.len().min(512)];
    bytes.is_empty()
        // A byte that begins no character of UTF-8.
        || !(bytes[0] < 0x80 || (0xc2..0xf5).contains(&bytes[0]))
        || shown.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c))
}

/// Whether a text is an SDLSHADERBC module: it begins with a function, a source or a program's checksum.
fn is_sdlasm(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with(';'));
    let mut words = lines.take(1).flat_map(str::split_whitespace);
    match (words.next(), words.next()) {
        (Some("vertex" | "fragment" | "generic"), Some(second)) => second == "function",
        (Some("source"), Some(number)) => number.bytes().all(|byte| byte.is_ascii_digit()),
        (Some("program" | "names" | "debug"), Some(_)) => true,
        _ => false,
    }
}

/// Whether an input is an SDLSHADERBC module's text.
pub(crate) fn is_module_text(input: &Input) -> Result<bool> {
    Ok(!is_sdlbc(&input.bytes) && text(input)?.is_some_and(is_sdlasm))
}

/// Decodes or assembles an input; what is wrong with it is reported here.
pub(crate) fn load(input: &Input, options: &TextOptions, rules: &Rules) -> Result<Content> {
    let Input { name, bytes } = input;
    if is_sdlbc(bytes) {
        let module = sdlbc::decode(bytes).map_err(|error| report::decode_error(name, &error))?;
        return Ok(Content::Ir(Box::new(Ir { module, text: None })));
    }
    let text = text(input)?;
    if let Some(text) = text.filter(|text| is_sdlasm(text)) {
        return match sdlbc::parse_with_comments(text) {
            Ok((module, comments)) => {
                Ok(Content::Ir(Box::new(Ir { module, text: Some((text.to_string(), comments)) })))
            }
            Err(errors) => Err(report::parse_errors(name, text, &errors)),
        };
    }
    match agal(input, options, rules, Endian::Little)? {
        Ok(agal) => Ok(Content::Agal(Box::new(agal))),
        Err(mut findings) => {
            rules.judge(&mut findings);
            Err(report::refused(name, text, None, &findings))
        }
    }
}

/// The text of an input, `None` for one that is no text.
pub(crate) fn text(input: &Input) -> Result<Option<&str>> {
    let Input { name, bytes } = input;
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        bail!("`{name}` is text in UTF-16; save it as UTF-8");
    }
    if is_binary(bytes) {
        return Ok(None);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').unwrap_or(text))),
        Err(error) => {
            let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
            bail!("`{name}` is text, but line {line} is not in UTF-8 (byte {})", error.valid_up_to());
        }
    }
}

/// Decodes or assembles AGAL; the findings that stand in the way are given back.
pub(crate) fn agal(
    input: &Input,
    options: &TextOptions,
    rules: &Rules,
    endian: Endian,
) -> Result<Result<Agal, Vec<Finding>>> {
    if input.bytes.starts_with(&[0x03, 0x02, 0x23, 0x07]) {
        bail!("`{}` is SPIR-V, which agalc writes and does not read", input.name);
    }
    let Some(text) = text(input)? else {
        let allow_version_0 = rules.allow.contains(&3617);
        let upload = Upload { big_endian: endian == Endian::Big, allow_version_0 };
        let decoded = Program::decode_uploaded(&input.bytes, upload);
        let agal =
            |(program, warnings)| Agal { program, text: None, warnings, version_given: true, aliases: Vec::new() };
        return Ok(decoded.map(agal));
    };
    if is_sdlasm(text) {
        bail!("`{}` is an SDLSHADERBC module; `agalc verify` checks it", input.name);
    }
    let assembly = assemble(text, &options.assembling(rules));
    // Where all parts are taken, that one is taken is nothing to be warned of.
    let is_said = |found: &Finding| !options.is_part || !matches!(found.kind, Kind::Part { .. });
    let assembly = assembly.map_err(|findings| findings.into_iter().filter(is_said).collect());
    Ok(assembly.map(|assembly| Agal {
        program: assembly.program,
        text: Some((text.to_string(), assembly.map)),
        warnings: assembly.warnings.into_iter().filter(is_said).collect(),
        version_given: assembly.version_given,
        aliases: assembly.aliases,
    }))
}

/// The text of an input with the macro language expanded.
pub(crate) fn expanded(input: &Input, options: &TextOptions, judging: &Judging) -> Result<(String, Vec<Alias>)> {
    let name = &input.name;
    let Some(text) = text(input)?.filter(|_| !is_sdlbc(&input.bytes)) else {
        bail!("`{name}` is no text, so there is nothing to expand");
    };
    let rules = judging.rules();
    match expand(text, &options.assembling(&rules)) {
        Ok(mut expansion) => {
            rules.judge(&mut expansion.warnings);
            if expansion.warnings.iter().any(Finding::is_error) {
                return Err(report::refused(name, Some(text), None, &expansion.warnings));
            }
            report::silence(judging, &mut expansion.warnings);
            report::show(name, Some(text), None, &expansion.warnings);
            Ok((expansion.text, expansion.aliases))
        }
        Err(mut findings) => {
            rules.judge(&mut findings);
            Err(report::refused(name, Some(text), None, &findings))
        }
    }
}
