//! Where a path leads: what is there, whether it is the file that another path leads to, and which folders are missing.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

/// More links than these in a row are a circle, as the system has it.
const LINKS: usize = 40;

/// What an output's path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A descriptor that this process was given: 1 is standard output.
    Descriptor(i32),
    /// What takes bytes and keeps none that could be replaced: a device, a pipe, another process's descriptor.
    Stream(PathBuf),
    /// A plain file, which may not be there yet.
    File(Target),
}

/// A plain file to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// Its path without links.
    pub(crate) path: PathBuf,
    /// The folders on the way that are not there, the outermost first.
    pub(crate) missing: Vec<PathBuf>,
}

impl Place {
    /// Follows a path's links to their end.
    pub(crate) fn of(path: &Path) -> Result<Place> {
        let mut path = path.to_path_buf();
        for _ in 0..LINKS {
            let is_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(last));
            let (Some(name), false) = (path.file_name(), is_folder) else { return Err(folder()) };
            let (folder_path, missing) = folder_of(&path)?;
            if let Some(descriptors) = descriptors(&folder_path) {
                return Ok(match number(name) {
                    Some(number) if descriptors == std::process::id() => Place::Descriptor(number),
                    _ => Place::Stream(folder_path.join(name)),
                });
            }
            let at = folder_path.join(name);
            match std::fs::symlink_metadata(&at) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Place::File(Target { path: at, missing }));
                }
                Err(error) => return Err(error),
                Ok(found) if found.is_symlink() => path = folder_path.join(std::fs::read_link(&at)?),
                Ok(found) if found.is_dir() => return Err(folder()),
                Ok(found) if found.is_file() => return Ok(Place::File(Target { path: at, missing })),
                Ok(_) => return Ok(Place::Stream(at)),
            }
        }
        Err(Error::other("it is a circle of links"))
    }
}

fn folder() -> Error {
    Error::new(ErrorKind::IsADirectory, "it is a folder")
}

fn is_separator(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

/// The folder that a path is in, without links, and those of it that are not there.
fn folder_of(path: &Path) -> Result<(PathBuf, Vec<PathBuf>)> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match parent.canonicalize() {
        Ok(folder) if folder.is_dir() => return Ok((folder, Vec::new())),
        Ok(_) => return Err(Error::new(ErrorKind::NotADirectory, "what should be its folder is a file")),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Error::new(ErrorKind::NotADirectory, "what should be its folder is a file"));
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Err(_) => {}
    }
    // Up to the first part that is not there links are followed; what comes after it will be made, and has none.
    let mut folder = if parent.is_absolute() { PathBuf::new() } else { Path::new(".").canonicalize()? };
    let mut missing: Vec<PathBuf> = Vec::new();
    for part in parent.components() {
        match part {
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir => folder.push(part),
            Component::ParentDir => {
                missing.pop();
                folder.pop();
            }
            Component::Normal(name) => {
                let next = folder.join(name);
                let is_there = match missing.is_empty() {
                    true => std::fs::symlink_metadata(&next).is_ok(),
                    false => false,
                };
                if is_there {
                    folder = next
                        .canonicalize()
                        .map_err(|_| Error::new(ErrorKind::NotFound, "its folder is a link that leads nowhere"))?;
                } else {
                    missing.push(next.clone());
                    folder = next;
                }
            }
        }
    }
    Ok((folder, missing))
}

/// The process whose descriptors a folder lists (Linux: `/proc/N/fd`, to which `/dev/fd` leads).
fn descriptors(folder: &Path) -> Option<u32> {
    let parts: Vec<&str> = folder.iter().filter_map(OsStr::to_str).collect();
    match parts[..] {
        ["/", "proc", process, "fd"] | ["/", "proc", process, "task", _, "fd"] => process.parse().ok(),
        // Elsewhere it is a folder of devices.
        ["/", "dev", "fd"] => Some(std::process::id()),
        _ => None,
    }
}

fn number(name: &OsStr) -> Option<i32> {
    name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// What tells whether two paths are one file: the path without links, and where the file system has them, device and number.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    path: Option<PathBuf>,
    node: Option<(u64, u64)>,
}

impl Identity {
    /// That of a file which is there or may come to be there; nothing for what keeps no bytes.
    pub(crate) fn new(path: Option<&Path>, found: Option<&Metadata>) -> Option<Identity> {
        if found.is_some_and(|found| !found.is_file()) {
            return None;
        }
        let path = path.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        Some(Identity { path, node: found.and_then(node) })
    }

    pub(crate) fn is(&self, other: &Identity) -> bool {
        self.path.is_some() && self.path == other.path || self.node.is_some() && self.node == other.node
    }
}

#[cfg(unix)]
fn node(found: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn node(_: &Metadata) -> Option<(u64, u64)> {
    None
}
