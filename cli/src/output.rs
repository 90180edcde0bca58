//! The contents and destinations of outputs. The module `files` writes the outputs.

use std::path::{Path, PathBuf};

use agalc::render::shown;
use clap::ValueEnum;
use sdlbc::FunctionKind;

use crate::phrases::quoted;

/// An error in the command line, which ends the run with exit code 2.
#[derive(Debug)]
pub(crate) struct UsageError(pub(crate) String);

impl std::fmt::Display for UsageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UsageError {}

pub(crate) fn usage<T>(message: impl Into<String>) -> anyhow::Result<T> {
    Err(UsageError(message.into()).into())
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    Stdout,
    File(PathBuf),
}

impl Sink {
    pub(crate) fn new(path: &Path) -> Sink {
        if path.as_os_str() == "-" { Sink::Stdout } else { Sink::File(path.into()) }
    }

    /// Returns the file's path, or `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            Sink::Stdout => None,
            Sink::File(path) => Some(path),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Sink::Stdout => "standard output".to_string(),
            Sink::File(path) => shown::path(path),
        }
    }

    /// Returns the destination's name for use in a sentence: a file's path in backticks, or `standard output`.
    pub(crate) fn quoted(&self) -> String {
        match self {
            Sink::Stdout => self.name(),
            Sink::File(path) => quoted(path),
        }
    }

    /// Inserts a word before the extension of the file name. With the word `vert`, `x.glsl` becomes `x.vert.glsl`, and `x`
    /// becomes `x.vert`. Standard output is unchanged.
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

/// Rejects an output path whose extension belongs to one of the formats `others`.
pub(crate) fn check_name(path: &Path, what: &str, others: &[Kind]) -> Result<(), UsageError> {
    match Kind::from_path(path).filter(|kind| others.contains(kind)) {
        Some(kind) => Err(UsageError(format!(
            "{} has the extension of {of}, but {what} would be written; `agalc compile` writes {of}",
            quoted(path),
            of = kind.label(),
        ))),
        None => Ok(()),
    }
}

/// An output that has been generated but not yet written.
#[derive(Debug)]
pub(crate) struct PendingOutput {
    pub(crate) sink: Sink,
    /// The term for the output in messages, such as `manual page`.
    pub(crate) what: String,
    pub(crate) bytes: Vec<u8>,
    /// Whether the output is text, which a terminal can display.
    pub(crate) is_text: bool,
}

impl PendingOutput {
    pub(crate) fn text(sink: Sink, what: impl Into<String>, text: impl Into<Vec<u8>>) -> PendingOutput {
        PendingOutput { sink, what: what.into(), bytes: text.into(), is_text: true }
    }

    pub(crate) fn binary(sink: Sink, what: impl Into<String>, bytes: Vec<u8>) -> PendingOutput {
        PendingOutput { sink, what: what.into(), bytes, is_text: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// SPIR-V for Vulkan
    Spirv,
    /// SPIR-V as text
    SpirvAsm,
    /// WGSL for WebGPU
    Wgsl,
    /// GLSL for OpenGL
    Glsl,
    /// HLSL for Direct3D
    Hlsl,
    /// The Metal Shading Language
    Msl,
    /// The module as an SDLSHADERBC file
    Sdlbc,
    /// The module as text
    Sdlasm,
    /// AGAL text of the version that --agal-version selects, or of the lowest version that can express the program
    Agal,
    /// AGAL bytecode of the version that --agal-version selects, or of the lowest version that can express the program
    Agalbc,
}

impl Kind {
    /// The recognised file extensions, as listed in messages.
    pub(crate) const EXTENSIONS: &str =
        ".spv .spvasm .wgsl .glsl .vert .frag .comp .hlsl .metal .msl .sdlbc .sdlasm .agal .agalbc";

    pub(crate) const COMPILED: [Kind; 6] = [Kind::Spirv, Kind::SpirvAsm, Kind::Wgsl, Kind::Glsl, Kind::Hlsl, Kind::Msl];
    pub(crate) const NOT_AGAL: [Kind; 8] =
        [Kind::Spirv, Kind::SpirvAsm, Kind::Wgsl, Kind::Glsl, Kind::Hlsl, Kind::Msl, Kind::Sdlbc, Kind::Sdlasm];
    pub(crate) const NOT_MODULES: [Kind; 8] =
        [Kind::Spirv, Kind::SpirvAsm, Kind::Wgsl, Kind::Glsl, Kind::Hlsl, Kind::Msl, Kind::Agal, Kind::Agalbc];

    const fn label(self) -> &'static str {
        match self {
            Kind::Spirv => "SPIR-V",
            Kind::SpirvAsm => "SPIR-V assembly",
            Kind::Wgsl => "WGSL",
            Kind::Glsl => "GLSL",
            Kind::Hlsl => "HLSL",
            Kind::Msl => "MSL",
            Kind::Sdlbc => "SDLSHADERBC",
            Kind::Sdlasm => "module text",
            Kind::Agal => "AGAL text",
            Kind::Agalbc => "AGAL bytecode",
        }
    }

    /// Returns the extension of files in the format, without the dot.
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Kind::Spirv => "spv",
            Kind::SpirvAsm => "spvasm",
            Kind::Wgsl => "wgsl",
            Kind::Glsl => "glsl",
            Kind::Hlsl => "hlsl",
            Kind::Msl => "metal",
            Kind::Sdlbc => "sdlbc",
            Kind::Sdlasm => "sdlasm",
            Kind::Agal => "agal",
            Kind::Agalbc => "agalbc",
        }
    }

    pub(crate) fn from_path(path: &Path) -> Option<Kind> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "spv" | "spirv" => Kind::Spirv,
            "spvasm" => Kind::SpirvAsm,
            "wgsl" => Kind::Wgsl,
            "glsl" | "vert" | "frag" | "comp" => Kind::Glsl,
            "hlsl" => Kind::Hlsl,
            "metal" | "msl" => Kind::Msl,
            "sdlbc" => Kind::Sdlbc,
            "sdlasm" => Kind::Sdlasm,
            "agal" => Kind::Agal,
            "agalbc" => Kind::Agalbc,
            _ => return None,
        })
    }
}

pub(crate) fn stage_extension(stage: FunctionKind) -> &'static str {
    match stage {
        FunctionKind::Vertex => "vert",
        FunctionKind::Compute => "comp",
        _ => "frag",
    }
}

/// Returns the stage named by one of the file's last two extensions.
pub(crate) fn stage_named_by(path: &Path) -> Option<FunctionKind> {
    let stages = [FunctionKind::Vertex, FunctionKind::Fragment, FunctionKind::Compute];
    stages.into_iter().find(|&stage| is_named_by(path, stage_extension(stage)))
}

/// Reports whether one of a file's last two extensions names the stage, as in `x.vert` and `x.vert.glsl`.
fn is_named_by(path: &Path, stage: &str) -> bool {
    let inner = path.file_stem().and_then(|stem| Path::new(stem).extension());
    [path.extension(), inner].into_iter().flatten().any(|extension| extension.eq_ignore_ascii_case(stage))
}
