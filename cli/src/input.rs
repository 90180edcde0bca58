//! Inputs: what a file is follows from its first bytes.

use std::io::Read;

use agal_front::assemble::{AssembleOptions, assemble};
use agal_front::finding::{Finding, SourceMap};
use agal_front::{Program, Stage};
use anyhow::{Context, Result, bail};
use sdlbc::Module;

use crate::args::{StageName, TextOptions};
use crate::report;

/// An input that was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The file's name, or `<stdin>`.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// What an input holds.
#[derive(Debug)]
pub(crate) enum Content {
    Agal(Box<Agal>),
    Ir(Module),
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
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read(path: &str) -> Result<Input> {
    if path == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(Input { name: "<stdin>".into(), bytes });
    }
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{path}`"))?;
    Ok(Input { name: path.into(), bytes })
}

/// Whether the bytes are an SDLSHADERBC file's.
pub(crate) fn is_sdlbc(bytes: &[u8]) -> bool {
    bytes.starts_with(b"SDLSHADERBC")
}

/// Whether the bytes are AGAL bytecode, or are so wrong that they are read as such: no text starts with them.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let shown = &bytes[..bytes.len().min(512)];
    bytes.is_empty()
        || bytes[0] >= 0x80
        || shown.iter().any(|&byte| byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c))
}

/// Decodes or assembles an input; what is wrong with it is reported here.
pub(crate) fn load(input: &Input, options: &TextOptions) -> Result<Content> {
    let Input { name, bytes } = input;
    if is_sdlbc(bytes) {
        let module = sdlbc::decode(bytes).map_err(|error| report::decode_error(name, &error))?;
        return Ok(Content::Ir(module));
    }
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        bail!("`{name}` is text in UTF-16; save it as UTF-8");
    }
    if is_binary(bytes) && !bytes.starts_with(b"\xef\xbb\xbf") {
        return match Program::decode(bytes) {
            Ok((program, warnings)) => {
                Ok(Content::Agal(Box::new(Agal { program, text: None, warnings, version_given: true })))
            }
            Err(findings) => Err(report::refused(name, None, None, &findings)),
        };
    }
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let line = 1 + bytes.iter().take(error.valid_up_to()).filter(|&&byte| byte == b'\n').count();
            bail!("`{name}` is text, but line {line} is not in UTF-8 (byte {})", error.valid_up_to());
        }
    };
    if ["vertex function ", "fragment function ", "generic function "].iter().any(|start| text.starts_with(start)) {
        bail!("`{name}` is an SDLSHADERBC module as text, which is not read yet; give the .sdlbc file");
    }
    let stage = options.stage.map(|stage| match stage {
        StageName::Vertex => Stage::Vertex,
        StageName::Fragment => Stage::Fragment,
    });
    match assemble(text, &AssembleOptions { stage, version: options.agal_version }) {
        Ok(assembly) => Ok(Content::Agal(Box::new(Agal {
            program: assembly.program,
            text: Some((text.to_string(), assembly.map)),
            warnings: assembly.warnings,
            version_given: assembly.version_given,
        }))),
        Err(findings) => Err(report::refused(name, Some(text), None, &findings)),
    }
}
