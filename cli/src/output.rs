//! Outputs: what is made, and where it is to go. Writing them is `files`.

use std::path::{Path, PathBuf};

use crate::args::Kind;
use crate::shown;

/// The command line asks for what cannot be.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

/// Where an output goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    Stdout,
    File(PathBuf),
}

impl Sink {
    pub(crate) fn new(path: &Path) -> Sink {
        if path.as_os_str() == "-" { Sink::Stdout } else { Sink::File(path.into()) }
    }

    /// What it is called in messages.
    pub(crate) fn name(&self) -> String {
        match self {
            Sink::Stdout => "standard output".to_string(),
            Sink::File(path) => shown::path(path),
        }
    }

    /// The same, set off from the words around it.
    pub(crate) fn quoted(&self) -> String {
        match self {
            Sink::Stdout => self.name(),
            Sink::File(_) => format!("`{}`", self.name()),
        }
    }

    /// The same with a word before the file name's extension: of `x.glsl` and `vert`, `x.vert.glsl`; of `x`, `x.vert`. Standard
    /// output has no name to change.
    pub(crate) fn with(&self, word: &str) -> Sink {
        let Sink::File(path) = self else { return Sink::Stdout };
        let mut name = path.file_stem().unwrap_or_default().to_os_string();
        name.push(".");
        name.push(word);
        if let Some(extension) = path.extension() {
            name.push(".");
            name.push(extension);
        }
        Sink::File(path.with_file_name(name))
    }
}

/// Something made, waiting to be written.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) sink: Sink,
    /// What it is, for people.
    pub(crate) what: String,
    pub(crate) bytes: Vec<u8>,
    /// Whether a terminal can show it.
    pub(crate) is_text: bool,
}

impl Kind {
    /// The extensions that stand for a kind.
    pub(crate) const EXTENSIONS: &str = ".spv .spvasm .wgsl .glsl .vert .frag .sdlbc .sdlasm";

    /// The kind that a file's extension stands for.
    pub(crate) fn from_path(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "spv" | "spirv" => Kind::Spirv,
            "spvasm" => Kind::SpirvAsm,
            "wgsl" => Kind::Wgsl,
            "glsl" | "vert" | "frag" => Kind::Glsl,
            "sdlbc" => Kind::Sdlbc,
            "sdlasm" => Kind::Sdlasm,
            _ => return None,
        })
    }
}
