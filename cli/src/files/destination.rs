//! Resolves the path of an output to the kind of file at the path, the identity of that file, and the missing folders.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

/// The maximum length of a chain of symbolic links. A longer chain counts as a cycle, as for the system.
const MOST_LINKS: usize = 40;

/// The destination of an output's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// A descriptor of this process: 1 is standard output.
    Descriptor(i32),
    /// A device, a pipe or a descriptor of another process, which is written to and cannot be replaced.
    Stream(PathBuf),
    /// A plain file, which may not exist yet.
    File(TargetFile),
}

/// A plain file that will be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetFile {
    /// Its path with resolved links.
    pub(crate) path: PathBuf,
    /// The missing folders of its path, from the outermost to the innermost.
    pub(crate) missing: Vec<PathBuf>,
}

impl Destination {
    /// Resolves a path and its links.
    pub(crate) fn of(path: &Path) -> Result<Destination> {
        let mut path = path.to_path_buf();
        for _ in 0..MOST_LINKS {
            let is_folder = path.as_os_str().as_encoded_bytes().last().is_some_and(|&last| is_separator(last));
            let (Some(name), false) = (path.file_name(), is_folder) else { return Err(is_a_folder()) };
            let (folder_path, missing) = folder_of(&path)?;
            if let Some(descriptors) = descriptors(&folder_path) {
                return Ok(match number(name) {
                    Some(number) if descriptors == std::process::id() => Destination::Descriptor(number),
                    _ => Destination::Stream(folder_path.join(name)),
                });
            }
            let at = folder_path.join(name);
            match std::fs::symlink_metadata(&at) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Ok(Destination::File(TargetFile { path: at, missing }));
                }
                Err(error) => return Err(error),
                Ok(found) if found.is_symlink() => path = folder_path.join(std::fs::read_link(&at)?),
                Ok(found) if found.is_dir() => return Err(is_a_folder()),
                Ok(found) if found.is_file() => return Ok(Destination::File(TargetFile { path: at, missing })),
                Ok(_) => return Ok(Destination::Stream(at)),
            }
        }
        Err(Error::other("its links form a cycle"))
    }
}

fn is_a_folder() -> Error {
    Error::new(ErrorKind::IsADirectory, "it is a folder")
}

fn is_separator(byte: u8) -> bool {
    std::path::is_separator(char::from(byte))
}

/// Returns the folder of a path, with resolved links, and the missing folders of that path.
fn folder_of(path: &Path) -> Result<(PathBuf, Vec<PathBuf>)> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match parent.canonicalize() {
        Ok(folder) if folder.is_dir() => return Ok((folder, Vec::new())),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) if error.kind() != ErrorKind::NotADirectory => return Err(error),
        _ => return Err(Error::new(ErrorKind::NotADirectory, "its folder is a file")),
    }
    // Links are followed up to the first missing folder. The folders after it will be created, so they are not links.
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
                if missing.is_empty() && std::fs::symlink_metadata(&next).is_ok() {
                    let broken = |_| Error::new(ErrorKind::NotFound, "its folder is a broken link");
                    folder = next.canonicalize().map_err(broken)?;
                } else {
                    missing.push(next.clone());
                    folder = next;
                }
            }
        }
    }
    Ok((folder, missing))
}

/// Returns the process whose descriptors a folder lists: on Linux, `/proc/N/fd`, to which `/dev/fd` is a link.
fn descriptors(folder: &Path) -> Option<u32> {
    let parts: Vec<&str> = folder.iter().filter_map(OsStr::to_str).collect();
    match parts[..] {
        ["/", "proc", process, "fd"] | ["/", "proc", process, "task", _, "fd"] => process.parse().ok(),
        // On other systems `/dev/fd` is a folder of devices.
        ["/", "dev", "fd"] => Some(std::process::id()),
        _ => None,
    }
}

fn number(name: &OsStr) -> Option<i32> {
    name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// The identity of a file, which tells whether two paths lead to the same file: its resolved path, and its device and inode if the
/// system has them.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    path: Option<PathBuf>,
    node: Option<(u64, u64)>,
}

impl Identity {
    /// The identity of a plain file, which exists or may be created; `None` if `found` is not that of a plain file.
    pub(crate) fn new(path: Option<&Path>, found: Option<&Metadata>) -> Option<Identity> {
        if found.is_some_and(|found| !found.is_file()) {
            return None;
        }
        let path = path.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        Some(Identity { path, node: found.and_then(node) })
    }

    /// Its resolved path, and its device and inode. If two identities have either in common, they are the same file.
    pub(super) fn keys(&self) -> (Option<&Path>, Option<(u64, u64)>) {
        (self.path.as_deref(), self.node)
    }

    /// Whether both are the same file.
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
