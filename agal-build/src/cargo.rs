//! The output of a build script: its messages to cargo, and the files in `OUT_DIR`.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Returns cargo's directives for the paths that were read, and for the lines of warnings and errors.
pub(crate) fn lines(read: &[PathBuf], warnings: &[String], errors: &[&str]) -> String {
    let mut lines = String::new();
    for path in read {
        lines += &format!("cargo::rerun-if-changed={}\n", path.display());
    }
    let messages = warnings.iter().map(|text| ("warning", text.as_str()));
    for (kind, text) in messages.chain(errors.iter().map(|text| ("error", *text))) {
        // Cargo prefixes the message with `warning:` or `error:`.
        let text = text.strip_prefix(&format!("{kind}: ")).unwrap_or(text);
        for line in text.lines() {
            lines += format!("cargo::{kind}={line}").trim_end();
            lines.push('\n');
        }
    }
    lines
}

/// Writes files to a folder under temporary names, and renames all files once they are complete. If renaming fails, the files
/// that were already renamed are restored to their former contents. A file whose contents have not changed is not written,
/// so that cargo does not compile it again.
///
/// # Errors
/// Returns the path that cannot be written, and the reason.
pub(crate) fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> Result<(), (PathBuf, io::Error)> {
    let mut pending = Vec::new();
    for (name, contents) in files {
        let path = folder.join(name);
        let former = match std::fs::read(&path) {
            Ok(former) if former == *contents => continue,
            Ok(former) => Some(former),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // A path that cannot be read, such as a folder, cannot be restored later.
            Err(error) => return Err((path, error)),
        };
        let file = temporary(folder, contents).map_err(|error| (path.clone(), error))?;
        pending.push((path, file, former));
    }
    let mut finished: Vec<(PathBuf, Option<Vec<u8>>)> = Vec::new();
    for (path, file, former) in pending {
        if let Err(error) = file.persist(&path) {
            finished.iter().rev().for_each(|(path, former)| restore(folder, path, former.as_deref()));
            return Err((path, error.error));
        }
        finished.push((path, former));
    }
    Ok(())
}

/// Writes a file under a temporary name, with the usual permissions of a permanent file. Errors omit the temporary name, which
/// would mean nothing to users.
fn temporary(folder: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let write = || {
        let mut builder = tempfile::Builder::new();
        // The umask restricts the permissions as it does for every new file.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(contents)?;
        Ok(file)
    };
    write().map_err(|error: io::Error| {
        let text = error.to_string();
        let message = text.split_once(" at path ").map_or(text.as_str(), |(message, _)| message);
        io::Error::new(error.kind(), message)
    })
}

/// Restores the former contents of a file, or removes a new file. Errors are ignored, because the error that required the
/// restoration is reported.
fn restore(folder: &Path, path: &Path, former: Option<&[u8]>) {
    match former {
        Some(contents) => _ = temporary(folder, contents).map(|file| file.persist(path)),
        None => _ = std::fs::remove_file(path),
    }
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
        // A folder has the second file's name, so the call fails. It must change no file and leave no temporary file behind.
        std::fs::remove_file(folder.path().join("b.wgsl")).expect("removed");
        std::fs::create_dir_all(folder.path().join("b.wgsl/x")).expect("a folder");
        let (path, _) = write(folder.path(), &files("d")).expect_err("a folder is in the way");
        assert_eq!(path, folder.path().join("b.wgsl"));
        assert_eq!(std::fs::read(folder.path().join("a.rs")).expect("the file"), b"c");
        // If the folder does not exist, the error contains the final name of the file and not the temporary name.
        let (path, error) = write(&folder.path().join("none"), &files("d")).expect_err("there is no folder");
        assert_eq!(path, folder.path().join("none/a.rs"));
        assert!(!error.to_string().contains("none"), "{error}");
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["a.rs", "b.wgsl"]);
    }

    #[test]
    fn files_that_were_replaced_get_their_contents_again_and_new_ones_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.rs");
        std::fs::write(&path, "new").expect("a file");
        restore(folder.path(), &path, Some(b"former"));
        assert_eq!(std::fs::read(&path).expect("the file"), b"former");
        restore(folder.path(), &path, None);
        assert!(!path.exists());
    }
}
