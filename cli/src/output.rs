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

/// Writes what was made: first every file beside its place, then, when all of them are whole, to its place; what goes to
/// standard output or a device comes last, as it cannot be taken back.
pub(crate) fn write(made: Vec<Made>) -> Result<()> {
    let mut waiting = Vec::new();
    let mut streams = Vec::new();
    for made in made {
        let Sink::File(path) = &made.sink else {
            if !made.is_text && std::io::stdout().is_terminal() {
                let message = format!("{} is binary; name a file with -o, or pipe it somewhere", made.what);
                return Err(UsageError(message).into());
            }
            streams.push(made);
            continue;
        };
        // What is no ordinary file (a device, a pipe) cannot be replaced.
        if path.exists() && !path.is_file() {
            streams.push(made);
            continue;
        }
        let path = behind_links(path);
        let file = beside(&path, &made.bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
        waiting.push((file, path, said(&made)));
    }
    for (file, path, said) in waiting {
        file.persist(&path)
            .map_err(|error| error.error)
            .with_context(|| format!("cannot write `{}`", path.display()))?;
        report::note(&said);
    }
    for made in streams {
        match &made.sink {
            Sink::Stdout => {
                let mut stdout = std::io::stdout().lock();
                stdout.write_all(&made.bytes).and_then(|()| stdout.flush()).context("cannot write standard output")?;
            }
            Sink::File(path) => {
                std::fs::write(path, &made.bytes).with_context(|| format!("cannot write `{}`", path.display()))?;
                report::note(&said(&made));
            }
        }
    }
    Ok(())
}

fn said(made: &Made) -> String {
    let name = match &made.sink {
        Sink::Stdout => "standard output".to_string(),
        Sink::File(path) => path.display().to_string(),
    };
    format!("wrote {name} ({}, {} bytes)", made.what, made.bytes.len())
}

/// The file that a path's links lead to, which may not be there yet.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // A circle of links ends somewhere in it, and fails as a file.
    for _ in 0..40 {
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    path
}

/// The place of a path, as far as it is known, to tell whether two paths are one file.
pub(crate) fn place(path: &str) -> PathBuf {
    let path = behind_links(Path::new(path));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Refuses an output that is an input, which would be lost.
pub(crate) fn apart(output: &str, inputs: &[String]) -> Result<()> {
    if output != "-"
        && inputs.iter().any(|input| input != "-" && place(input) == place(output))
        && Path::new(output).is_file()
    {
        return Err(UsageError(format!("`{output}` is read and would be overwritten; name another output")).into());
    }
    Ok(())
}

/// A file with the bytes in the folder of `path`, gone again unless it is moved to its place.
fn beside(path: &Path, bytes: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(std::io::Error::new(std::io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".agalc-");
    if let Some(permissions) = permissions(path) {
        builder.permissions(permissions);
    }
    // The error would name the temporary file, which nobody has asked for.
    let mut file = builder.tempfile_in(folder).map_err(|error| match error.kind() {
        kind @ std::io::ErrorKind::NotFound => std::io::Error::new(kind, "its folder does not exist"),
        kind => std::io::Error::from(kind),
    })?;
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
