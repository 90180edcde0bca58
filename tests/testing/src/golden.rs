//! Compares text with expected files (goldens), and finds files of the repository.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::say;

/// The maximum number of lines of a difference that a failure shows.
const SHOWN: usize = 40;

/// Returns the root folder of the repository.
pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Returns the path of a file or folder in testdata/.
pub fn testdata(path: &str) -> PathBuf {
    repository().join("testdata").join(path)
}

/// Returns the files of a folder whose names end in `ending`, sorted by path.
///
/// # Panics
/// Panics if the folder is missing or has no such file, because a test that reads no files would pass without trying anything.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut files = entries(folder);
    files.retain(|path| path.is_file() && path.to_string_lossy().ends_with(ending));
    assert!(!files.is_empty(), "{} has no file *{ending}", folder.display());
    files
}

/// Returns the files of a folder and its subfolders, at any depth, whose names end in `ending`, sorted by path.
///
/// # Panics
/// Panics if the folder is missing, or if no file in it has the ending.
pub fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    fn collect(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
        for path in entries(folder) {
            match path.is_dir() {
                true => collect(&path, ending, found),
                false if path.to_string_lossy().ends_with(ending) => found.push(path),
                false => {}
            }
        }
    }
    let mut found = Vec::new();
    collect(folder, ending, &mut found);
    assert!(!found.is_empty(), "{} and the folders in it have no file *{ending}", folder.display());
    found
}

/// Returns the folder of third-party programs, which is next to the repository unless `CORPUS=` names another folder. The folder
/// may be missing.
pub fn corpus_folder() -> PathBuf {
    let given = std::env::var_os("CORPUS").filter(|path| !path.is_empty());
    given.map_or_else(|| repository().join("../shared/corpus"), PathBuf::from)
}

/// Returns the paths of the third-party programs. If the folder of these programs is missing, this function prints a notice and
/// returns an empty list.
pub fn corpus() -> Vec<PathBuf> {
    let folder = corpus_folder();
    if !folder.is_dir() {
        say("SKIPPED: there is no ../shared/corpus; only the programs of testdata are tested");
        return Vec::new();
    }
    files(&folder, ".agalbc")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Reports whether the environment variable `UPDATE_EXPECT` is set, so that expected files are written instead of compared.
pub fn updates() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares text with a file of the repository, or writes the file if `UPDATE_EXPECT=1` is set.
///
/// # Errors
/// Returns the lines around the first differences if the texts differ, or the reason why the file cannot be read.
pub fn expect(path: &str, actual: &str) -> Result<(), String> {
    let file = repository().join(path);
    if updates() {
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder");
        std::fs::write(&file, actual).expect("the file");
        return Ok(());
    }
    match std::fs::read_to_string(&file) {
        Ok(expected) if expected == actual => Ok(()),
        Ok(expected) => Err(format!("{path} differs; UPDATE_EXPECT=1 renews it\n{}", difference(&expected, actual))),
        Err(error) => Err(format!("{path}: {error}; UPDATE_EXPECT=1 writes it")),
    }
}

/// Returns the differences between two texts as a unified diff, which is cut off after a number of lines.
pub fn difference(expected: &str, actual: &str) -> String {
    let diff = TextDiff::from_lines(expected, actual);
    let text = diff.unified_diff().context_radius(2).header("expected", "found").to_string();
    let mut shown = String::new();
    text.lines().take(SHOWN).for_each(|line| writeln!(shown, "{line}").expect("memory"));
    let rest = text.lines().count().saturating_sub(SHOWN);
    if rest > 0 {
        writeln!(shown, "... {rest} more lines of this difference").expect("memory");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{SHOWN, difference, files, files_below, testdata};

    #[test]
    #[should_panic = "has no file *.nothing"]
    fn a_folder_without_such_files_fails_the_test_that_reads_them() {
        files(&testdata("pairs"), ".nothing");
    }

    #[test]
    fn files_below_a_folder_are_found_at_any_depth() {
        let all = files_below(&testdata("agal"), ".agal");
        let some = files(&testdata("agal/lift"), ".agal");
        assert!(some.iter().all(|file| all.contains(file)) && all.len() > some.len());
    }

    #[test]
    fn a_difference_shows_the_lines_that_differ_and_two_around_them() {
        let expected: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let actual = expected.replace("line 50\n", "other\n");
        let shown = difference(&expected, &actual);
        assert!(shown.contains("-line 50\n+other\n") && !shown.contains("line 47"), "{shown}");
        assert!(shown.lines().count() < 12, "{shown}");
    }

    #[test]
    fn a_long_difference_is_cut() {
        let shown = difference(&"a\n".repeat(500), &"b\n".repeat(500));
        assert_eq!(shown.lines().count(), SHOWN + 1);
        assert!(shown.ends_with("more lines of this difference\n"), "{shown}");
    }
}
