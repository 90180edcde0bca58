//! Removes files that only earlier runs of a build script generated, so that a program cannot include the module of a deleted
//! shader.
//!
//! Rule: a file is removed only if an earlier run listed the file and the file lies directly in the output folder.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::cargo;

/// The name of the file in the output folder that lists the generated files.
pub(crate) const LIST: &str = "agal-build.txt";

/// The files that this run of the build script has generated, keyed by folder. A script may call `compile` several times.
static GENERATED: Mutex<BTreeMap<PathBuf, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

/// Writes the generated files and a list of their names, and removes the files that only the previous list contains.
///
/// # Errors
/// Returns the path that cannot be written or removed, and the reason.
pub(crate) fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), (PathBuf, io::Error)> {
    let mut generated = GENERATED.lock().unwrap_or_else(PoisonError::into_inner);
    let of_run = generated.entry(folder.to_path_buf()).or_default();
    replace(folder, files, of_run)
}

/// Writes files, and removes the files that only the previous list contains. `of_run` contains the names of all files that this
/// run has generated.
fn replace(
    folder: &Path,
    files: &BTreeMap<String, Vec<u8>>,
    of_run: &mut BTreeSet<String>,
) -> Result<(), (PathBuf, io::Error)> {
    let former = std::fs::read_to_string(folder.join(LIST)).unwrap_or_default();
    let mut names = of_run.clone();
    names.extend(files.keys().cloned());
    let list: String = names.iter().map(|name| format!("{name}\n")).collect();
    let mut all = files.clone();
    all.insert(LIST.to_string(), list.into_bytes());
    cargo::write(folder, &all)?;
    *of_run = names;
    for name in former.lines().filter(|name| is_plain(name) && !of_run.contains(*name)) {
        let path = folder.join(name);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err((path, error)),
            _ => {}
        }
    }
    Ok(())
}

/// Reports whether a line of the list is a file name without a folder.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) && name != LIST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_former_run_generated_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = |names: &[&str]| names.iter().map(|name| (name.to_string(), b"x".to_vec())).collect();
        let there = || {
            let entries = std::fs::read_dir(folder.path()).expect("the folder").flatten();
            let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names.join(" ")
        };
        std::fs::write(folder.path().join("own.txt"), "of the user").expect("a file");
        let mut first = BTreeSet::new();
        replace(folder.path(), &files(&["a.rs", "b.rs"]), &mut first).expect("written");
        // A second call in the same run keeps the files of the first call.
        replace(folder.path(), &files(&["c.rs"]), &mut first).expect("written");
        assert_eq!(there(), "a.rs agal-build.txt b.rs c.rs own.txt");
        replace(folder.path(), &files(&["b.rs"]), &mut BTreeSet::new()).expect("written");
        assert_eq!(there(), "agal-build.txt b.rs own.txt");
        // A list with paths outside the output folder removes nothing.
        let outside = folder.path().join("outside");
        std::fs::create_dir(&outside).expect("a folder");
        std::fs::write(outside.join(LIST), "../own.txt\n/etc/none\n\n.\nagal-build.txt\n").expect("a list");
        replace(&outside, &files(&["d.rs"]), &mut BTreeSet::new()).expect("written");
        assert_eq!(there(), "agal-build.txt b.rs outside own.txt");
        assert!(outside.join("d.rs").is_file() && outside.join(LIST).is_file());
    }
}
