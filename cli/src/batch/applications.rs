//! Selects the files that `extract` searches in a folder, by the files' names or by their first and last bytes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// The extensions of files that may be applications, whatever their contents.
pub(super) const ENDINGS: &str =
    ".swf, .swc, .abc, .air, .ane, .swz, .exe, .apk, .ipa, .zip, .tar, .tgz, .gz, .as, .hx or .mxml";

/// The maximum number of bytes that are examined in a JSON or XML file.
const LONGEST: u64 = 4 << 20;

/// Reports whether a file may be an application, or may be a JSON or XML document that contains AGAL.
pub(super) fn is_application(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    let is_named = |known: &str| known.trim_start_matches("or ").strip_prefix('.') == Some(ending.as_str());
    let is_ending = ENDINGS.split([',', ' ']).any(is_named);
    // An unreadable file is skipped, like a file that is not an application.
    is_ending || has_application_contents(path, &ending).unwrap_or(false)
}

fn has_application_contents(path: &Path, ending: &str) -> std::io::Result<bool> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    if matches!(ending, "json" | "xml") {
        file.take(LONGEST).read_to_end(&mut bytes)?;
        return Ok(agal_extract::holds_agal(&bytes));
    }
    (&mut file).take(16).read_to_end(&mut bytes)?;
    let mut end = [0; 8];
    let length = file.metadata()?.len();
    if let Some(from) = length.checked_sub(8) {
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut end)?;
    }
    Ok(agal_extract::is_application(&bytes, &end, length))
}
