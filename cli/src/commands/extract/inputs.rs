//! Names the searched files, and reads the files that sources embed.

use std::path::{Component, PathBuf};

use agal_extract::Reader;

use crate::batch::Listed;

/// The maximum length of an embedded file, in bytes.
const LONGEST: u64 = 16 << 20;

/// Returns a reader of the files that sources embed. Paths are relative to the folder of the source.
pub(super) fn reader(listed: &Listed) -> Reader {
    let sources: Vec<PathBuf> = listed.entries.iter().map(|entry| entry.path.clone()).collect();
    Reader::new(move |source, path| {
        let path = sources.get(source)?.parent()?.join(path);
        let found = std::fs::metadata(&path).ok().filter(|found| found.is_file() && found.len() <= LONGEST)?;
        std::fs::read(&path).ok().filter(|bytes| u64::try_from(bytes.len()) == Ok(found.len()))
    })
}

/// Returns the path of each file relative to their common folder, with `/` between components.
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
