//! Reads the files of a scene from the file system or from memory.
//!
//! Rule: the file system and memory have the same rules for paths, the same size limits and the same error messages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::error::{Error, ErrorKind};

/// Files in memory, addressed by paths with `/` between folders. The components `.` and `..` of a path are resolved.
/// If two files have the same path, the later file is kept.
///
/// ```
/// use agalc_scene::{ErrorKind, Loading, Memory, Scene};
///
/// let scene = "program = \"programs.sdlbc\"";
/// let files: Memory = [("lit/scene.toml", scene)].into_iter().collect();
/// let error = Scene::load_in(&files, "lit/scene.toml", &Loading::default()).unwrap_err();
/// assert_eq!(error.to_string(), "lit/programs.sdlbc: cannot be read: there is no such file");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl<P: AsRef<Path>, B: Into<Vec<u8>>> FromIterator<(P, B)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Memory {
        Memory(files.into_iter().map(|(path, bytes)| (resolved(path.as_ref()), bytes.into())).collect())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Store<'a> {
    Disk,
    Memory(&'a Memory),
}

impl<'a> Store<'a> {
    /// Reads a file, and rejects files with more than `most` bytes.
    pub(crate) fn bytes(self, path: &Path, most: u64) -> Result<Cow<'a, [u8]>, Error> {
        let read = match self {
            Store::Disk => on_disk(path, most).map(Cow::Owned),
            Store::Memory(Memory(files)) => match files.get(&resolved(path)) {
                None => Err(ErrorKind::Unreadable { why: "there is no such file".to_string() }),
                Some(bytes) if bytes.len() as u64 > most => Err(ErrorKind::TooLarge { most }),
                Some(bytes) => Ok(Cow::Borrowed(bytes.as_slice())),
            },
        };
        read.map_err(|kind| Error::of(path.display().to_string(), kind))
    }
}

fn on_disk(path: &Path, most: u64) -> Result<Vec<u8>, ErrorKind> {
    let unreadable = |error: std::io::Error| ErrorKind::Unreadable { why: error.to_string() };
    let file = File::open(path).map_err(unreadable)?;
    // A file without a length, such as a device, is read up to the size limit.
    let is_too_large = file.metadata().is_ok_and(|found| found.len() > most);
    let mut bytes = Vec::new();
    if !is_too_large {
        file.take(most + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if is_too_large || bytes.len() as u64 > most { Err(ErrorKind::TooLarge { most }) } else { Ok(bytes) }
}

/// The folder to which file names are relative. `allow_outside` permits names that lead outside the folder.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folder<'a> {
    pub(crate) store: Store<'a>,
    pub(crate) path: &'a Path,
    pub(crate) allow_outside: bool,
}

impl Folder<'_> {
    /// Returns the working folder, without the restriction to files inside the folder.
    pub(crate) fn any() -> Folder<'static> {
        Folder { store: Store::Disk, path: Path::new(""), allow_outside: true }
    }

    /// Returns the path of the named file, or `None` if the file is outside the folder and must not be read.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let path = self.path.join(name);
        match self.store {
            Store::Disk if self.allow_outside || !self.is_left_by(&path, Path::new(name)) => Some(path),
            Store::Disk => None,
            Store::Memory(_) => {
                let path = resolved(&path);
                let below = |rest: &Path| rest.components().all(|part| matches!(part, Component::Normal(_)));
                let is_inside = path.strip_prefix(resolved(self.path)).is_ok_and(below);
                (self.allow_outside || is_inside).then_some(path)
            }
        }
    }

    /// Reports whether a path on disk leads out of the folder once symbolic links are resolved.
    fn is_left_by(&self, path: &Path, name: &Path) -> bool {
        let folder = if self.path.as_os_str().is_empty() { Path::new(".") } else { self.path };
        if let (Ok(folder), Ok(path)) = (folder.canonicalize(), path.canonicalize()) {
            return !path.starts_with(folder);
        }
        // A missing file is judged by its name only, so that errors do not reveal which files exist outside the folder.
        let mut depth = 0i64;
        name.components().any(|part| {
            match part {
                Component::Prefix(_) | Component::RootDir => return true,
                Component::CurDir => {}
                Component::Normal(_) => depth += 1,
                Component::ParentDir => depth -= 1,
            }
            depth < 0
        })
    }
}

/// Resolves `.` and `..` without reading the file system. A `..` that leads above the start of a relative path is kept.
fn resolved(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_by_their_text() {
        let cases = [
            ("a/./b//c", "a/b/c"),
            ("./a", "a"),
            ("a/../b", "b"),
            ("a/..", ""),
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("/../a", "/a"),
        ];
        for (path, expected) in cases {
            assert_eq!(resolved(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn a_name_in_memory_may_not_leave_its_folder() {
        let memory = Memory::default();
        let find = |path: &str, name: &str, allow_outside: bool| {
            Folder { store: Store::Memory(&memory), path: Path::new(path), allow_outside }.find(name)
        };
        for (folder, name, expected) in [
            ("", "a", "a"),
            ("", "b/../a", "a"),
            ("lit", "a", "lit/a"),
            ("lit", "../lit/a", "lit/a"),
            ("lit", "../../lit/../lit/a", ""),
            ("..", "a", "../a"),
            ("/lit", "/lit/a", "/lit/a"),
            ("", "../a", ""),
            ("", "/a", ""),
            ("lit", "../a", ""),
            ("lit", "../literal/a", ""),
            ("lit", "/lit/a", ""),
            ("..", "../a", ""),
        ] {
            let expected = Some(PathBuf::from(expected)).filter(|path| !path.as_os_str().is_empty());
            assert_eq!(find(folder, name, false), expected, "{name} in {folder}");
            assert!(find(folder, name, true).is_some(), "{name} in {folder}");
        }
    }
}
