//! Resolves an output's path: determines the type and identity of the file at that path, and the folders that do not exist yet.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

/// The maximum length of a chain of symbolic links. A longer chain counts as a cycle, as in the operating system.
const MOST_LINKS: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// A file descriptor of this process, such as 1 for standard output.
    Descriptor(i32),
    /// A device, a pipe or a descriptor of another process, which can be written to but not replaced.
    Stream(PathBuf),
    /// A plain file, which may not exist yet.
    File(TargetFile),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TargetFile {
    pub(crate) path: PathBuf,
    /// The missing folders on the file's path, outermost first.
    pub(crate) missing: Vec<PathBuf>,
}

impl Destination {
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

/// Returns the folder of a path with all links resolved, and the missing folders on the path.
fn folder_of(path: &Path) -> Result<(PathBuf, Vec<PathBuf>)> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match parent.canonicalize() {
        Ok(folder) if folder.is_dir() => return Ok((folder, Vec::new())),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) if error.kind() != ErrorKind::NotADirectory => return Err(error),
        _ => return Err(Error::new(ErrorKind::NotADirectory, "its folder is a file")),
    }
    // Links are resolved up to the first missing folder. Folders below a missing folder do not exist yet, and cannot be links.
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

/// Returns a process id if the folder lists the file descriptors of that process. On Linux, such a folder is `/proc/N/fd`, to
/// which `/dev/fd` links.
fn descriptors(folder: &Path) -> Option<u32> {
    let parts: Vec<&str> = folder.iter().filter_map(OsStr::to_str).collect();
    match parts[..] {
        ["/", "proc", process, "fd"] | ["/", "proc", process, "task", _, "fd"] => process.parse().ok(),
        // On systems other than Linux, `/dev/fd` is a folder of devices.
        ["/", "dev", "fd"] => Some(std::process::id()),
        _ => None,
    }
}

fn number(name: &OsStr) -> Option<i32> {
    name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// The identity of a file: the resolved path, and the device and inode if the system has them. Two paths to the same file have
/// the same identity.
#[derive(Clone, Debug)]
pub(crate) struct Identity {
    path: Option<PathBuf>,
    node: Option<(u64, u64)>,
}

impl Identity {
    /// Creates the identity of a plain file, which need not exist yet. Returns `None` if `found` describes any other kind of
    /// file.
    pub(crate) fn new(path: Option<&Path>, found: Option<&Metadata>) -> Option<Identity> {
        if found.is_some_and(|found| !found.is_file()) {
            return None;
        }
        let path = path.map(|path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
        Some(Identity { path, node: found.and_then(node) })
    }

    /// Returns the resolved path, and the device and inode. Two identities denote the same file if their paths are equal, or if
    /// their devices and inodes are equal.
    pub(super) fn keys(&self) -> (Option<&Path>, Option<(u64, u64)>) {
        (self.path.as_deref(), self.node)
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
