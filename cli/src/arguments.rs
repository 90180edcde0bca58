//! Expands the command line before clap parses the arguments: `@FILE` becomes the arguments in a file, and `-MD` and similar
//! options become options with long names.
//!
//! Rules (docs/batches.md): spaces and line breaks separate the arguments in a file. `'...'` and `"..."` preserve spaces and line
//! breaks, and may enclose a part of an argument. Outside quotes, a backslash escapes a quote or a space. In `"..."`, a backslash
//! escapes `"` or a backslash. In `'...'`, a backslash escapes nothing. Backslashes in paths therefore need no escapes.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use agalc::render::shown;

use crate::output::UsageError;

/// The maximum nesting depth of argument files.
const DEEPEST: usize = 16;
/// The maximum number of arguments, and the maximum size of an argument file in bytes.
const MOST: usize = 1 << 20;
const LARGEST: u64 = 64 << 20;

/// Short options of compilers, which clap cannot parse because they have two letters. Each row has the short option, the
/// equivalent long option, and whether the option takes a value, which may follow without a space.
const OF_COMPILERS: [(&str, &str, bool); 4] = [
    ("-MD", "--write-depfile", false),
    ("-MP", "--depfile-phony", false),
    ("-MF", "--depfile", true),
    ("-MT", "--depfile-target", true),
];

/// Returns the arguments of this run, and the argument files that were read.
pub(crate) fn all() -> Result<(Vec<OsString>, Vec<PathBuf>), UsageError> {
    let mut given = std::env::args_os();
    let mut all: Vec<OsString> = given.next().into_iter().collect();
    let mut files = Vec::new();
    expand(given, &mut Vec::new(), &mut all, &mut files)?;
    if all.get(1).is_some_and(|command| command == "compile") {
        of_compilers(&mut all);
    }
    Ok((all, files))
}

/// Appends `arguments` to `all`, and replaces each `@FILE` by the arguments in the file. `within` lists the argument files that
/// are being expanded, and `files` lists all argument files that were read.
fn expand(
    arguments: impl IntoIterator<Item = OsString>,
    within: &mut Vec<PathBuf>,
    all: &mut Vec<OsString>,
    files: &mut Vec<PathBuf>,
) -> Result<(), UsageError> {
    for argument in arguments {
        if let Some(path) = file(&argument) {
            if within.contains(&path) || within.len() >= DEEPEST {
                let why = if within.contains(&path) { "names itself" } else { "is nested too deeply" };
                return Err(UsageError(format!("the file of arguments `@{}` {why}", shown::path(&path))));
            }
            let inner = read(&path)?;
            files.push(path.clone());
            within.push(path);
            expand(inner, within, all, files)?;
            within.pop();
        } else {
            all.push(argument);
        }
        if all.len() > MOST {
            return Err(UsageError(format!("there are more than {MOST} arguments")));
        }
    }
    Ok(())
}

/// Returns the path in an argument `@FILE`.
fn file(argument: &OsStr) -> Option<PathBuf> {
    let rest = argument.as_encoded_bytes().strip_prefix(b"@").filter(|rest| !rest.is_empty())?;
    os_string(rest.to_vec()).map(PathBuf::from)
}

fn read(path: &Path) -> Result<Vec<OsString>, UsageError> {
    let name = shown::path(path);
    let cannot = |why: &str| {
        UsageError(format!(
            "cannot read the file of arguments `{name}`: {why}\n = help: `@` begins the name of a file of arguments; write an input whose \
             name begins with `@` as `./@{name}`"
        ))
    };
    let size = std::fs::metadata(path).map_err(|error| cannot(&error.to_string()))?.len();
    if size > LARGEST {
        return Err(cannot(&format!("it is larger than {LARGEST} bytes")));
    }
    let bytes = std::fs::read(path).map_err(|error| cannot(&error.to_string()))?;
    let arguments = split(&bytes).ok_or_else(|| cannot("a quote is not closed"))?;
    let arguments = arguments.into_iter().map(os_string).collect::<Option<Vec<_>>>();
    arguments.ok_or_else(|| cannot("it is not text in UTF-8"))
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}

/// Splits the contents of an argument file into arguments. Returns `None` if a quote is not closed.
fn split(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut arguments = Vec::new();
    // `None` means that no argument has begun, whereas `''` is an empty argument.
    let mut argument: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let next = bytes.peek().copied();
        let is_escape = byte == b'\\'
            && match quote {
                None => next.is_some_and(|next| next.is_ascii_whitespace() || matches!(next, b'"' | b'\'')),
                Some(b'"') => matches!(next, Some(b'"' | b'\\')),
                Some(_) => false,
            };
        match (byte, quote) {
            _ if is_escape => argument.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => {
                quote = Some(byte);
                argument.get_or_insert_default();
            }
            (_, None) if byte.is_ascii_whitespace() => arguments.extend(argument.take()),
            _ => argument.get_or_insert_default().push(byte),
        }
    }
    arguments.extend(argument);
    quote.is_none().then_some(arguments)
}

/// Replaces two-letter options of compilers by agalc's long options.
fn of_compilers(arguments: &mut [OsString]) {
    for argument in arguments.iter_mut().take_while(|argument| *argument != "--") {
        for (short, long, has_value) in OF_COMPILERS {
            let Some(value) = argument.as_encoded_bytes().strip_prefix(short.as_bytes()) else { continue };
            if value.is_empty() {
                *argument = long.into();
            } else if let Some(value) = os_string(value.to_vec()).filter(|_| has_value) {
                let mut with_value = OsString::from(format!("{long}="));
                with_value.push(value);
                *argument = with_value;
            }
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_arguments_is_split_at_spaces_outside_of_quotes() {
        let rows: [(&str, Option<&[&str]>); 12] = [
            ("", Some(&[])),
            ("a\nb c\r\n\td\n", Some(&["a", "b", "c", "d"])),
            ("'a b' \"c d\"", Some(&["a b", "c d"])),
            ("-o'a b'.wgsl", Some(&["-oa b.wgsl"])),
            ("it\\'s 'it'\\''s'", Some(&["it's", "it's"])),
            ("a\\ b c\\\nd", Some(&["a b", "c\nd"])),
            ("shaders\\lit.agal \"C:\\x\\\\y\\\"\"", Some(&["shaders\\lit.agal", "C:\\x\\y\""])),
            ("'a\\' b", Some(&["a\\", "b"])),
            ("'' \"\"", Some(&["", ""])),
            ("\u{feff}ä #b", Some(&["ä", "#b"])),
            ("\"a", None),
            ("a 'b\n", None),
        ];
        for (text, expected) in rows {
            let found = split(text.as_bytes());
            let expected = expected.map(|all| all.iter().map(|one| one.as_bytes().to_vec()).collect::<Vec<_>>());
            assert_eq!(found, expected, "{text:?}");
        }
    }

    #[test]
    fn the_options_of_compilers_become_ours_up_to_the_end_of_options() {
        let mut arguments = ["agalc", "compile", "-MD", "-MFa.d", "-MF", "b.d", "-MTx y", "-MP", "-MX", "--", "-MD"]
            .map(OsString::from);
        of_compilers(&mut arguments);
        let expected = [
            "agalc",
            "compile",
            "--write-depfile",
            "--depfile=a.d",
            "--depfile",
            "b.d",
            "--depfile-target=x y",
            "--depfile-phony",
            "-MX",
            "--",
            "-MD",
        ];
        assert_eq!(arguments, expected.map(OsString::from));
    }
}
