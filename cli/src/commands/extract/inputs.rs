//! Which files are searched: those that are named, and those of folders whose names say that they may have AGAL.
//!
//! Rule: the files of a folder are in the order of their names. A file is listed once. Names that begin with a dot are passed over.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use anyhow::{Error, Result};
use walkdir::WalkDir;

use crate::shown;

/// The files to search.
#[derive(Debug, Default)]
pub(super) struct Listed {
    pub(super) paths: Vec<PathBuf>,
    /// How many files of folders are of no use.
    pub(super) skipped: usize,
}

/// Whether a file of a folder may have AGAL, by its name.
pub(super) fn is_of_flash(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    matches!(extension.as_str(), "swf" | "swc" | "abc" | "as" | "hx" | "mxml")
}

/// Lists the files that inputs stand for; those of folders only if they are taken.
///
/// # Errors
/// A folder cannot be read.
pub(super) fn list(inputs: &[PathBuf], is_taken: impl Fn(&Path) -> bool) -> Result<Listed> {
    let mut listed = Listed::default();
    let mut known = BTreeSet::new();
    for input in inputs {
        if !input.is_dir() {
            listed.paths.extend(known.insert(input.clone()).then(|| input.clone()));
            continue;
        }
        let walk = WalkDir::new(input).follow_links(true).sort_by_file_name();
        let is_shown =
            |entry: &walkdir::DirEntry| entry.depth() == 0 || !entry.file_name().as_encoded_bytes().starts_with(b".");
        for entry in walk.into_iter().filter_entry(is_shown) {
            match entry {
                Ok(entry) if !entry.file_type().is_file() => {}
                Ok(entry) if !is_taken(entry.path()) => listed.skipped += 1,
                Ok(entry) => {
                    let path = entry.into_path();
                    listed.paths.extend(known.insert(path.clone()).then_some(path));
                }
                // A link that leads back to a folder that it is in.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let name = shown::path(error.path().unwrap_or(input));
                    let error = error.into_io_error().unwrap_or_else(|| std::io::Error::other("it cannot be read"));
                    return Err(Error::new(error).context(format!("cannot read `{name}`")));
                }
            }
        }
    }
    Ok(listed)
}

/// The names of files: their paths below the folder that all of them are in, with `/`.
pub(super) fn names(paths: &[PathBuf]) -> Vec<String> {
    let parts = |path: &PathBuf| -> Vec<String> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let parts: Vec<Vec<String>> = paths.iter().map(parts).collect();
    let folders = || parts.iter().map(|parts| parts.split_last().map_or(&[][..], |(_, folders)| folders));
    let first = folders().next().unwrap_or_default();
    let common = |folders: &[String]| folders.iter().zip(first).take_while(|(one, other)| one == other).count();
    let shared = folders().map(common).min().unwrap_or(0);
    parts.iter().map(|parts| parts.get(shared..).unwrap_or_default().join("/")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_depend_on_where_the_files_are() {
        let names = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(names(&["/home/a/game.swf"]), ["game.swf"]);
        assert_eq!(names(&["/home/a/x/game.swf", "/home/a/y/game.swf"]), ["x/game.swf", "y/game.swf"]);
        assert_eq!(names(&["./a/b.as", "a/c/d.as", "a/c/e.as"]), ["b.as", "c/d.as", "c/e.as"]);
        assert_eq!(names(&["../a.swf", "b.swf"]), ["../a.swf", "b.swf"]);
        assert_eq!(names(&[]), Vec::<String>::new());
    }
}
