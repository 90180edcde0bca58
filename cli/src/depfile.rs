//! Writes depfiles: rules in make's syntax that list the files from which an output was made. Both make and ninja read depfiles.
//!
//! Rule: a depfile lists the files in the order in which they were read. A depfile omits files that do not exist, because ninja
//! would otherwise run the command every time (docs/build-systems.md).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::args::Building;
use crate::files::Files;
use crate::output::{PendingOutput, Sink, usage};
use crate::phrases::quoted;

/// Creates the depfile for a run that writes `outputs`, if the options request a depfile.
///
/// # Errors
/// The rule has no target, or a file name cannot be written in make's syntax.
pub(crate) fn made(files: &Files, options: &Building, outputs: &[&Sink]) -> Result<Option<PendingOutput>> {
    if !options.has_depfile() {
        return Ok(None);
    }
    let written: Vec<&Path> = outputs.iter().filter_map(|sink| sink.file()).collect();
    let path = match (&options.depfile, written.first()) {
        (Some(path), _) => path.clone(),
        (None, Some(first)) => {
            let mut name = first.file_name().unwrap_or_default().to_os_string();
            name.push(".d");
            first.with_file_name(name)
        }
        (None, None) => {
            return usage("-MD needs the name of a file: give one with -MF, or name an output with -o");
        }
    };
    let targets: Vec<&Path> = match options.depfile_target.is_empty() {
        true => written,
        false => options.depfile_target.iter().map(PathBuf::as_path).collect(),
    };
    if targets.is_empty() {
        return usage("a depfile needs a target: name an output with -o, or the target with -MT");
    }
    let bytes = rule(&targets, &files.paths_read(), options.depfile_phony)?;
    Ok(Some(PendingOutput::text(Sink::new(&path), "dependencies", bytes)))
}

/// Formats a rule for make. If `phony` is true, each file that was read also gets a rule without prerequisites.
fn rule(targets: &[&Path], read: &[PathBuf], phony: bool) -> Result<Vec<u8>> {
    let targets: Vec<Vec<u8>> = targets.iter().map(|target| escaped(target.as_os_str())).collect::<Result<_>>()?;
    let mut text = targets.join(&b' ');
    text.push(b':');
    for path in read {
        text.extend(b" \\\n  ");
        text.extend(escaped(path.as_os_str())?);
    }
    text.push(b'\n');
    for path in read.iter().filter(|_| phony) {
        text.extend(escaped(path.as_os_str())?);
        text.extend(b":\n");
    }
    Ok(text)
}

fn escaped(name: &OsStr) -> Result<Vec<u8>> {
    let bytes = name.as_encoded_bytes();
    let mut text = Vec::new();
    let mut backslashes = 0;
    for (index, &byte) in bytes.iter().enumerate() {
        // The colon of a Windows drive letter is not escaped.
        let is_drive = cfg!(windows) && index == 1;
        match byte {
            b'\n' | b'\r' | b'\0' => {
                bail!("{} has a line break in its name, which a depfile cannot have", quoted(name.as_ref()))
            }
            // Before a space, make reads a backslash literally only if the backslash is doubled.
            b' ' | b'\t' => {
                text.extend(std::iter::repeat_n(b'\\', backslashes));
                text.push(b'\\');
            }
            b'#' => text.push(b'\\'),
            b':' if !is_drive => text.push(b'\\'),
            b'$' => text.push(b'$'),
            _ => {}
        }
        backslashes = if byte == b'\\' { backslashes + 1 } else { 0 };
        text.push(byte);
    }
    text.extend(std::iter::repeat_n(b'\\', backslashes));
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_make_reads_them() {
        for (name, expected) in [
            ("a/b.agal", "a/b.agal"),
            ("a b", "a\\ b"),
            ("a\\ b", "a\\\\\\ b"),
            ("a#b", "a\\#b"),
            ("$a", "$$a"),
            ("a:b", "a\\:b"),
            ("a\\b", "a\\b"),
            ("a\\", "a\\\\"),
            ("ä", "ä"),
        ] {
            assert_eq!(escaped(OsStr::new(name)).expect("a name"), expected.as_bytes(), "{name}");
        }
        assert!(escaped(OsStr::new("a\nb")).is_err());
    }

    #[test]
    fn a_rule_has_the_targets_and_what_was_read() {
        let read = ["a.agal".into(), "a.names.toml".into()];
        let text = rule(&[Path::new("x.wgsl"), Path::new("x.spv")], &read, true).expect("a rule");
        assert_eq!(
            String::from_utf8_lossy(&text),
            "x.wgsl x.spv: \\\n  a.agal \\\n  a.names.toml\na.agal:\na.names.toml:\n"
        );
    }
}
