//! Names in a TOML file, such as `"vc0..3" = "clip: mat4x4"`.
//!
//! Rule: the file has no tables. Each key names registers, and each value is a name with an optional type. A key with components
//! needs no quotes, although TOML reads `vc7.x` as a key `x` of a table `vc7`. All errors in the file are returned, each with its
//! line and column.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::{Entry, NamesFile, Origin, value_of};
use super::registers::Registers;

/// An error in a file of names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The file that has the error.
    pub file: NamesFile,
    /// The byte range of the error in the file's text.
    pub span: Range<usize>,
    /// The reason for the error.
    pub kind: FileErrorKind,
}

/// A reason why a file of names cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The file is not valid TOML; the string is the parser's message.
    Toml(String),
    /// A value is not a string.
    NotText,
    /// The file has a table, such as `[names]` before the names.
    Table,
    /// A key or a value does not have the form that the string describes.
    Expected(&'static str),
}

/// Writes the position and the message, such as `lit.names.toml:2:5: expected a name ...`.
impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.file.position(self.span.start);
        write!(f, "{}:{line}:{column}: {}", self.file.name(), self.kind)
    }
}

impl std::error::Error for FileError {}

impl fmt::Display for FileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileErrorKind::Toml(message) => {
                let example =
                    "write lines such as \"vc0..3\" = \"clip: mat4x4\", with quotes around keys that have a dot";
                write!(f, "{message}; {example}")
            }
            FileErrorKind::NotText => f.write_str("expected a string with a name and perhaps a type: \"clip: mat4x4\""),
            FileErrorKind::Table => f.write_str(
                "expected registers, such as vc0, va1 or \"vc0..3\"; a file of names has no tables, so remove this one and keep the \
                 names in it",
            ),
            FileErrorKind::Expected(wants) => write!(f, "expected {wants}"),
        }
    }
}

/// Returns either all entries in file order or all errors.
pub(super) fn read(text: &str, name: &str) -> Result<Vec<Entry>, Vec<FileError>> {
    let file = NamesFile::new(name, text);
    let table = DeTable::parse(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join(", ");
        let span = error.span().unwrap_or(0..0);
        vec![FileError { file: file.clone(), span, kind: FileErrorKind::Toml(message) }]
    })?;
    let mut pairs = Vec::new();
    flatten(table.get_ref(), "", 0, &mut pairs);
    pairs.sort_by_key(|(_, at, _)| *at);
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    for (key, at, value) in pairs {
        match entry(text, &file, &key, at, value) {
            Ok(entry) => entries.push(entry),
            Err((span, kind)) => errors.push(FileError { file: file.clone(), span, kind }),
        }
    }
    if errors.is_empty() { Ok(entries) } else { Err(errors) }
}

type Pair<'t> = (String, usize, &'t Spanned<DeValue<'t>>);

/// Lists the values of a table. A dotted key or a table of components becomes one key with a dot.
fn flatten<'t>(table: &'t DeTable<'t>, prefix: &str, depth: usize, pairs: &mut Vec<Pair<'t>>) {
    for (key, value) in table.iter() {
        let name = format!("{prefix}{}", key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if depth == 0 && !inner.is_empty() && Registers::prefix(&name).is_ok() => {
                flatten(inner, &format!("{name}."), 1, pairs);
            }
            _ => pairs.push((name, key.span().start, value)),
        }
    }
}

fn entry(
    text: &str,
    file: &NamesFile,
    key: &str,
    at: usize,
    value: &Spanned<DeValue<'_>>,
) -> Result<Entry, (Range<usize>, FileErrorKind)> {
    let quoted = |at: usize| usize::from(text.get(at..).is_some_and(|rest| rest.starts_with(['"', '\''])));
    let end = at + key.len() + 2 * quoted(at);
    let of_key = |wants| (at..end, FileErrorKind::Expected(wants));
    let (registers, length) = Registers::prefix(key.trim()).map_err(|error| match value.get_ref() {
        DeValue::Table(_) => (at..end, FileErrorKind::Table),
        _ => {
            // Offsets in a key with escapes differ from offsets in the file.
            let start = at + quoted(at);
            let is_plain = text.get(start..start + key.len()) == Some(key);
            let inside = start + key.len() - key.trim_start().len() + error.at;
            (if is_plain { inside } else { at }..end, FileErrorKind::Expected(error.wants))
        }
    })?;
    if length != key.trim().len() {
        return Err(of_key("registers and nothing else, such as \"vc0..3\""));
    }
    let span = value.span();
    let DeValue::String(written) = value.get_ref() else {
        return Err((span, FileErrorKind::NotText));
    };
    let (name, ty) = value_of(written).map_err(|(inside, wants)| {
        // Offsets in a string with escapes differ from offsets in the file.
        let start = span.start + quoted(span.start);
        let is_plain = text.get(start..start + written.len()) == Some(written.as_ref());
        let from = if is_plain { start + inside } else { span.start };
        (from..span.end.max(from), FileErrorKind::Expected(wants))
    })?;
    Ok(Entry { registers, name, ty, origin: Origin::File { file: file.clone(), span } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_the_order_of_the_file() {
        let text =
            "\"vc0..3\" = \"clip: mat4x4\"\nva1 = 'uv: vec2'\nvc7.x = \"opacity\"\nfs0 = \"albedo\"\nfc.0 = 'x'\n";
        let error = read(text, "a.names.toml").expect_err("fc.0 has a wrong component");
        assert_eq!(error.len(), 1);
        assert_eq!(error[0].to_string(), "a.names.toml:5:4: expected registers and nothing else, such as \"vc0..3\"");
        let entries = read(&text.replace("fc.0 = 'x'", "[fc0]\nyz = 'x'"), "a").expect("entries");
        let shown: Vec<String> = entries.iter().map(ToString::to_string).collect();
        assert_eq!(shown, ["vc0..3 = clip: mat4x4", "va1 = uv: vec2", "vc7.x = opacity", "fs0 = albedo", "fc0.yz = x"]);
        let Origin::File { file, span } = &entries[1].origin else { panic!("it is from the file") };
        assert_eq!((&file.text()[span.clone()], file.position(span.start)), ("'uv: vec2'", (2, 7)));
    }

    #[test]
    fn all_errors_have_their_line_and_column() {
        let text = "va0 = 3\nva1 = \"uv: vec5\"\nvb2 = \"x\"\nvc3 = \"\"\nva4 = \"\\u0041: vec5\"\n";
        let errors = read(text, "a.toml").expect_err("five errors");
        let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let starts = [
            "a.toml:1:7: expected a string",
            "a.toml:2:12: expected a type",
            "a.toml:3:1: expected a register",
            "a.toml:4:8: expected a name",
            "a.toml:5:7: expected a type",
        ];
        assert_eq!(shown.len(), starts.len());
        for (shown, start) in shown.iter().zip(starts) {
            assert!(shown.starts_with(start), "{shown}");
        }
        let errors = read("[names]\nva0 = \"a\"\n[vc7]\nx = \"b\"\n", "a.toml").expect_err("a table");
        let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let [shown] = &shown[..] else { panic!("{shown:?}") };
        assert!(shown.starts_with("a.toml:1:2: expected registers") && shown.contains("has no tables"), "{shown}");
        for key in ["va9x", "\"va9x\""] {
            let errors = read(&format!("{key} = \"a\"\n"), "a.toml").expect_err("a wrong key");
            let column = 4 + usize::from(key.starts_with('"'));
            let expected = format!("a.toml:1:{column}: expected the end of the register's name;");
            assert!(errors[0].to_string().starts_with(&expected), "{}", errors[0]);
        }
        let errors = read("va0 = \"a\"\nvc0..3 = \"clip\"\n", "a.toml").expect_err("not TOML");
        assert!(errors[0].to_string().starts_with("a.toml:2:"), "{}", errors[0]);
    }
}
