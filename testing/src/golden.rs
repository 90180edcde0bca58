//! Comparison with expected files (goldens), and files of the repository.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use similar::TextDiff;

/// The most lines of a difference that are shown.
const SHOWN: usize = 40;

/// The repository's root.
pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// A file or folder of testdata/.
pub fn testdata(path: &str) -> PathBuf {
    repository().join("testdata").join(path)
}

/// The files of a folder whose names end in `ending`, in order; none if the folder does not exist.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(ending));
    files.sort();
    files
}

/// Whether `UPDATE_EXPECT=1` is set, so that expected files are written instead of compared.
pub fn updates() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// Compares text with a file of the repository, or writes the file if `UPDATE_EXPECT=1` is set.
///
/// # Errors
/// They differ: the lines around the first differences.
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

/// The lines in which two texts differ, as a unified diff of a limited length.
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
    use super::{SHOWN, difference};

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
