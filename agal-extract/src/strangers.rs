//! Recognises inputs that are not Flash applications, and returns messages with advice for the user.

use std::sync::LazyLock;

use regex::Regex;

use crate::strings::pattern;

/// Returns the kind of an unsupported input, and a message for the user. Inputs that are searched as text, such as JSON, XML and
/// AGAL text, get no message.
pub(crate) fn kind_of(bytes: &[u8]) -> (&'static str, Option<String>) {
    if let Some((kind, advice)) = known(bytes) {
        return (kind, Some(format!("is {kind}, {advice}")));
    }
    let (kind, message) = match std::str::from_utf8(bytes) {
        Ok("") => (
            "an empty file",
            "is an empty file, perhaps because the program that was to write it failed; get the file again",
        ),
        Ok(text) if !text.contains('\0') => return of_text(text.trim_start_matches('\u{feff}')),
        _ if looks_encrypted(bytes) => (
            "data, perhaps encrypted",
            "is in no known format, and may be encrypted, because its bytes are evenly distributed; only these bytes are searched. \
             If the application decrypts the file while it runs, name the decrypted file, or log the uploaded programs and add \
             the log with --from-trace",
        ),
        _ => (
            "data",
            "is neither a SWF, SWC or ABC file nor an archive or program that contains one; only its bytes are searched",
        ),
    };
    (kind, Some(message.to_string()))
}

/// The advice about an archive in a format that is not opened.
const FILES: &str = "which is not opened; unpack it, and name the folder";
const MEDIA: &str =
    "which holds no shaders; name the SWF, SWC or ABC file, the AIR package or the sources of the application";

/// Recognises a file format by its first bytes. Returns the format's name and advice for the user.
fn known(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    Some(match bytes {
        [0x89, b'P', b'N', b'G', ..] => ("a PNG image", MEDIA),
        [0xff, 0xd8, 0xff, ..] => ("a JPEG image", MEDIA),
        [b'G', b'I', b'F', b'8', ..] => ("a GIF image", MEDIA),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ("a WebP image", MEDIA),
        [b'R', b'I', b'F', b'F', ..] => ("a sound or a video", MEDIA),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => ("a BMP image", MEDIA),
        [b'A', b'T', b'F', ..] => ("an ATF texture", MEDIA),
        [b'D', b'D', b'S', b' ', ..] => ("a DDS texture", MEDIA),
        [0, 0, 1, 0, ..] => ("an icon", MEDIA),
        [b'I', b'D', b'3', ..] | [0xff, 0xfb, ..] => ("an MP3 sound", MEDIA),
        [b'O', b'g', b'g', b'S', ..] => ("an Ogg sound", MEDIA),
        [b'F', b'L', b'V', ..] | [_, _, _, _, b'f', b't', b'y', b'p', ..] => ("a video", MEDIA),
        [b'%', b'P', b'D', b'F', ..] => ("a PDF document", MEDIA),
        [b'7', b'z', 0xbc, 0xaf, ..] => ("a 7-Zip archive", FILES),
        [b'R', b'a', b'r', b'!', ..] => ("a RAR archive", FILES),
        [0xfd, b'7', b'z', b'X', b'Z', ..] => ("an xz file", FILES),
        [b'B', b'Z', b'h', b'1'..=b'9', ..] => ("a bzip2 file", FILES),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ("a Zstandard file", FILES),
        [b'M', b'S', b'C', b'F', ..] => ("a cabinet", FILES),
        [0xd0, 0xcf, 0x11, 0xe0, ..] => ("an installer or an older Office document", FILES),
        [b'x', b'a', b'r', b'!', ..] => ("a macOS installer", FILES),
        _ => return None,
    })
}

fn of_text(text: &str) -> (&'static str, Option<String>) {
    // The format of Git LFS pointer files is documented at <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
    if text.starts_with("version https://git-lfs.github.com/spec/") {
        let size = text.lines().find_map(|line| line.strip_prefix("size ")?.trim().parse::<u64>().ok());
        let of = size.map(|size| format!(" of {size} bytes")).unwrap_or_default();
        let message =
            format!("is a Git LFS pointer to a file{of}, not the file itself; run `git lfs pull` in its repository");
        return ("a Git LFS pointer", Some(message));
    }
    let start: String = text.trim_start().chars().take(2000).collect();
    if HTML.is_match(&start) {
        let title = title(text).map(|title| format!(" with the title `{title}`")).unwrap_or_default();
        let message = format!(
            "is an HTML page{title}, which a server sends if a file is missing or a login is required; download the file itself, or \
             the SWF that the page plays"
        );
        return ("an HTML page", Some(message));
    }
    let (kind, message) = match start.chars().next() {
        Some('{' | '[') => return ("JSON", None),
        Some('<') => return ("XML", None),
        Some(_) if crate::agalish::read(text).is_agal() => return ("AGAL text", None),
        Some(_) => (
            "text",
            "is text, but not AGAL, JSON or XML, and its name does not end in .as, .hx or .mxml like that of a source; the file is \
             searched only for bytecode in digits or base64",
        ),
        None => (
            "an empty text",
            "contains only white space, perhaps because the program that wrote the file failed; get the file again",
        ),
    };
    (kind, Some(message.to_string()))
}

static HTML: LazyLock<Regex> = LazyLock::new(|| pattern("(?i)^<!doctype html|^<html|<html[ >]"));
static TITLE: LazyLock<Regex> = LazyLock::new(|| pattern("(?i)<title[^>]*>([^<]*)"));

fn title(text: &str) -> Option<String> {
    let words: Vec<&str> = TITLE.captures(text)?.get(1)?.as_str().split_whitespace().collect();
    let title: String = words.join(" ").chars().filter(|letter| *letter != '`').take(60).collect();
    Some(title).filter(|title| !title.is_empty())
}

/// Reports whether all byte values are about equally frequent, as in encrypted data and in data that is compressed in an unknown
/// format.
fn looks_encrypted(bytes: &[u8]) -> bool {
    let mut counts = [0_u32; 256];
    bytes.iter().for_each(|byte| counts.get_mut(usize::from(*byte)).into_iter().for_each(|count| *count += 1));
    let total = bytes.len() as f64;
    let share = |count: &u32| f64::from(*count) / total;
    let entropy: f64 = counts.iter().map(share).filter(|share| *share > 0.0).map(|share| -share * share.log2()).sum();
    bytes.len() >= 4096 && entropy > 7.9
}
