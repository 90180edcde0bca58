//! Outputs: each appears whole or not at all, and none before all of them are made.

use std::fs::Permissions;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::args::Kind;
use crate::report;

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
    pub(crate) fn new(path: &str) -> Sink {
        if path == "-" { Sink::Stdout } else { Sink::File(path.into()) }
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
    /// The kind that a file's extension stands for.
    pub(crate) fn from_path(path: &str) -> Option<Kind> {
        let extension = Path::new(path).extension()?.to_str()?.to_ascii_lowercase();
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

/// Writes what was made. Files are written beside their place first and moved there when all of them are whole.
pub(crate) fn write(made: Vec<Made>) -> Result<()> {
    let mut waiting = Vec::new();
    for Made { sink, what, bytes, is_text } in made {
        match sink {
            Sink::Stdout => {
                let mut stdout = std::io::stdout().lock();
                if !is_text && stdout.is_terminal() {
                    let message = format!("{what} is binary; name a file with -o, or pipe it somewhere");
                    return Err(UsageError(message).into());
                }
                stdout.write_all(&bytes).and_then(|()| stdout.flush()).context("cannot write standard output")?;
            }
            Sink::File(path) => {
                let said = format!("wrote {} ({what}, {} bytes)", path.display(), bytes.len());
                // What is no ordinary file (a device, a pipe) cannot be replaced, and has no half of a file to show.
                if path.exists() && !path.is_file() {
                    std::fs::write(&path, &bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
                    report::note(&said);
                    continue;
                }
                let path = if path.is_symlink() { path.canonicalize().unwrap_or(path) } else { path };
                let file = beside(&path, &bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
                waiting.push((file, path, said));
            }
        }
    }
    for (file, path, said) in waiting {
        file.persist(&path)
            .map_err(|error| error.error)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        report::note(&said);
    }
    Ok(())
}

/// A file with the bytes in the folder of `path`, gone again unless it is moved to its place.
fn beside(path: &Path, bytes: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".agalc-");
    if let Some(permissions) = permissions(path) {
        builder.permissions(permissions);
    }
    // The error names the temporary file, which nobody has asked for.
    let mut file = builder.tempfile_in(folder).map_err(|error| std::io::Error::from(error.kind()))?;
    file.write_all(bytes)?;
    file.flush()?;
    Ok(file)
}

/// The permissions of the file that is replaced, or those of a new one (the system takes off what the user masks).
#[cfg(unix)]
fn permissions(path: &Path) -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    let old = std::fs::metadata(path).map(|metadata| metadata.permissions());
    Some(old.unwrap_or_else(|_| Permissions::from_mode(0o666)))
}

#[cfg(not(unix))]
fn permissions(_: &Path) -> Option<Permissions> {
    None
}
