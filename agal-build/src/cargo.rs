//! What a build script tells cargo, and the files in `OUT_DIR`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// The lines for cargo: what was read, and warnings and errors.
///
/// Cargo takes one line at a time and shows each after the package's name, so the lines of a text keep their places under each
/// other.
pub(crate) fn lines(read: &[PathBuf], warnings: &[String], errors: &[&str]) -> String {
    let mut lines = String::new();
    for path in read {
        lines += &format!("cargo::rerun-if-changed={}\n", path.display());
    }
    let messages = warnings.iter().map(|text| ("warning", text.as_str()));
    for (kind, text) in messages.chain(errors.iter().map(|text| ("error", *text))) {
        // The word is cargo's already.
        let text = text.strip_prefix(&format!("{kind}: ")).unwrap_or(text);
        for line in text.lines() {
            lines += format!("cargo::{kind}={line}").trim_end();
            lines.push('\n');
        }
    }
    lines
}

/// Writes files to a folder: all of them under temporary names, and then, when all are complete, under their own. A file that
/// already has its contents is left alone, so that cargo does not compile it again.
///
/// # Errors
/// The path that cannot be written, and why.
pub(crate) fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), (PathBuf, io::Error)> {
    let mut pending = Vec::new();
    for (name, contents) in files {
        let path = folder.join(name);
        if std::fs::read(&path).is_ok_and(|there| there == *contents) {
            continue;
        }
        let write = || {
            let mut file = temporary(folder)?;
            file.write_all(contents)?;
            Ok(file)
        };
        match write() {
            Ok(file) => pending.push((path, file)),
            Err(error) => return Err((path, error)),
        }
    }
    for (path, file) in pending {
        file.persist(&path).map_err(|error| (path, error.error))?;
    }
    Ok(())
}

/// A file under a temporary name. Unlike most temporary files, it gets the usual permissions, as it becomes one that stays.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    // The umask takes away what others may not do.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_message_is_a_line_for_cargo() {
        let (read, warnings) =
            ([PathBuf::from("a.agal")], ["warning: w".to_string(), "warning[AGAL1]: v\n  = x".into()]);
        let lines = lines(&read, &warnings, &["error: e"]);
        assert_eq!(
            lines,
            "cargo::rerun-if-changed=a.agal\ncargo::warning=w\ncargo::warning=warning[AGAL1]: v\ncargo::warning=  = x\n\
             cargo::error=e\n"
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_generated_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &BTreeMap::from([("a.rs".to_string(), b"a".to_vec())])).expect("the file");
        std::fs::write(folder.path().join("b.rs"), "b").expect("a file");
        let mode = |name| std::fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
        assert_eq!(mode("a.rs"), mode("b.rs"));
    }

    #[test]
    fn files_are_written_whole_or_not_at_all_and_again_only_when_they_change() {
        let folder = tempfile::tempdir().expect("a folder");
        let files =
            |text: &str| BTreeMap::from([("a.rs".to_string(), text.into()), ("b.wgsl".to_string(), b"b".to_vec())]);
        write(folder.path(), &files("a")).expect("the files");
        let time = |name| std::fs::metadata(folder.path().join(name)).and_then(|data| data.modified()).expect("a time");
        let before = time("b.wgsl");
        std::thread::sleep(std::time::Duration::from_millis(20));
        write(folder.path(), &files("c")).expect("the files");
        assert_eq!(std::fs::read(folder.path().join("a.rs")).expect("the file"), b"c");
        assert_eq!(time("b.wgsl"), before);
        // A folder in place of the second file: neither is changed, and no other file is left.
        std::fs::remove_file(folder.path().join("b.wgsl")).expect("removed");
        std::fs::create_dir_all(folder.path().join("b.wgsl/x")).expect("a folder");
        assert!(write(&folder.path().join("none"), &files("d")).is_err());
        let mut files = files("d");
        files.remove("a.rs");
        let (path, _) = write(folder.path(), &files).expect_err("a folder is in the way");
        assert_eq!(path, folder.path().join("b.wgsl"));
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.rs", "b.wgsl"]);
    }
}
