//! A name for registers, such as `vc0..3=clip:mat4`, and its origin.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use agal_front::assemble::{NamedBy, SourceName};
use agal_front::finding::Span;

use super::registers::Registers;
use super::types::{TYPE, ValueType};

/// The name and the text of a file of names. Copies share the text.
#[derive(Clone, PartialEq, Eq)]
pub struct NamesFile(Arc<(String, String)>);

impl NamesFile {
    pub(crate) fn new(name: &str, text: &str) -> NamesFile {
        NamesFile(Arc::new((name.to_string(), text.to_string())))
    }

    /// Returns the file's name.
    pub fn name(&self) -> &str {
        &self.0.0
    }

    /// Returns the file's text.
    pub fn text(&self) -> &str {
        &self.0.1
    }

    /// Returns the line and the column of a byte offset, both counted from 1. Columns are counted in characters.
    pub fn position(&self, at: usize) -> (usize, usize) {
        let before = self.text().get(..at).unwrap_or(self.text());
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count();
        (1 + before.bytes().filter(|&byte| byte == b'\n').count(), 1 + column)
    }
}

/// Writes only the file's name.
impl fmt::Debug for NamesFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NamesFile({:?})", self.name())
    }
}

/// A name for registers, with its type and its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The registers that get the name.
    pub registers: Registers,
    /// The name as written, before its conversion to an identifier.
    pub name: String,
    /// The type, or `None` if the type is inferred from the use of the registers.
    pub ty: Option<ValueType>,
    /// The origin of the name. If a register has several names, their origins determine which name applies.
    pub origin: Origin,
}

/// The origin of a name. A name from a later variant overrides a name from an earlier variant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// AGAL text, in an `alias` line or a comment. A name from AGAL text is dropped if it does not fit the program.
    Source {
        /// Whether the name is from an alias or from a comment.
        by: NamedBy,
        /// The position of the name in the AGAL text.
        span: Span,
    },
    /// A file of names.
    File {
        /// The file that states the name.
        file: NamesFile,
        /// The byte range of the entry's value in the file's text.
        span: Range<usize>,
    },
    /// The caller, through a command-line option or a library call.
    Given,
}

impl Origin {
    /// Returns the rank of the origin. A name of a higher rank overrides a name of a lower rank.
    pub(crate) const fn rank(&self) -> u8 {
        match self {
            Origin::Source { .. } => 0,
            Origin::File { .. } => 1,
            Origin::Given => 2,
        }
    }

    /// Reports whether a file or the caller gave the name. A name from a file or the caller is an error if it does not fit.
    pub(crate) const fn is_explicit(&self) -> bool {
        self.rank() > 0
    }
}

/// An error in the text of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EntryError {
    /// The byte offset of the error in the entry.
    pub at: usize,
    /// The column of the error in characters, counted from 1.
    pub column: usize,
    /// A description of the text that is expected at the error.
    pub wants: &'static str,
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}", self.column, self.wants)
    }
}

impl std::error::Error for EntryError {}

/// The maximum length of a name, in bytes.
pub(crate) const LONGEST: usize = 200;

pub(crate) const NAME: &str = "a name with a letter or a digit";

impl Entry {
    /// Parses `REGISTERS=NAME` or `REGISTERS=NAME:TYPE`. Spaces around the parts are ignored.
    ///
    /// # Errors
    /// Returns the position of the error and a description of the expected text.
    pub fn parse(text: &str) -> Result<Entry, EntryError> {
        let refuse = |at: usize, wants| {
            let column = 1 + text.get(..at).unwrap_or(text).chars().count();
            EntryError { at, column, wants }
        };
        let start = text.len() - text.trim_start().len();
        let own = text.get(start..).unwrap_or_default();
        let (registers, length) = Registers::prefix(own).map_err(|error| refuse(start + error.at, error.wants))?;
        let rest = own.get(length..).unwrap_or_default();
        let after = rest.trim_start();
        let equals = text.len() - after.len();
        let Some(value) = after.strip_prefix('=') else {
            return Err(refuse(equals, "`=` and a name after the registers, as in vc0..3=clip"));
        };
        let (name, ty) = value_of(value).map_err(|(at, wants)| refuse(equals + 1 + at, wants))?;
        Ok(Entry { registers, name, ty, origin: Origin::Given })
    }

    /// Converts a name from AGAL text to an entry. Returns `None` if the word after the name is not a type, because the comment
    /// is then prose.
    pub fn of_source(source: &SourceName) -> Option<Entry> {
        let ty = match &source.ty {
            Some(ty) => Some(ValueType::named(ty)?),
            None => None,
        };
        let SourceName { registers, name, by, span, .. } = source;
        let origin = Origin::Source { by: *by, span: *span };
        Some(Entry { registers: (*registers).into(), name: name.clone(), ty, origin })
    }
}

/// Writes the entry in the form used by comments in AGAL text, such as `vc0..3 = clip: mat4x4`.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.registers, self.name)?;
        self.ty.map_or(Ok(()), |ty| write!(f, ": {ty}"))
    }
}

/// Parses `NAME` or `NAME: TYPE`.
///
/// # Errors
/// Returns the byte offset of the error and a description of the expected text.
pub(crate) fn value_of(text: &str) -> Result<(String, Option<ValueType>), (usize, &'static str)> {
    let (name, ty) = text.split_once(':').map_or((text, None), |(name, ty)| (name, Some(ty)));
    let at = name.len() - name.trim_start().len();
    let trimmed = name.trim();
    if !trimmed.contains(|c: char| c.is_ascii_alphanumeric()) {
        return Err((at, NAME));
    }
    if trimmed.len() > LONGEST {
        return Err((at, "a shorter name, of at most 200 bytes"));
    }
    let ty = ty.map(|ty| ValueType::named(ty.trim()).ok_or((text.len() - ty.trim_start().len(), TYPE)));
    Ok((trimmed.to_string(), ty.transpose()?))
}

/// Converts a name to an identifier that every target accepts: letters, digits and single `_`, beginning with a letter. A
/// letter is put in front of a name that begins with a digit.
pub(crate) fn identifier(name: &str) -> String {
    let mut made = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '0'..='9' if made.is_empty() => made.extend(['n', c]),
            c if c.is_ascii_alphanumeric() => made.push(c),
            _ if made.is_empty() || made.ends_with('_') => {}
            _ => made.push('_'),
        }
    }
    made.trim_end_matches('_').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "es2")]
    #[test]
    fn an_entry_is_registers_a_name_and_a_type() {
        for (text, shown) in [
            ("vc0..3=clip:mat4", "vc0..3 = clip: mat4x4"),
            (" vc0-3 = clip : mat4x4 ", "vc0..3 = clip: mat4x4"),
            ("va1=uv:vec2", "va1 = uv: vec2"),
            ("va1=uv:float2", "va1 = uv: Float32x2"),
            ("fs0=albedo", "fs0 = albedo"),
            ("vc8..=bones:vec4[]", "vc8.. = bones: vec4[]"),
            ("fc0.rgb=world matrix", "fc0.xyz = world matrix"),
            ("vc=transform", "vc = transform"),
            ("u0-3=clip:mat4", "u0..3 = clip: mat4x4"),
            ("t0=albedo", "t0 = albedo"),
            ("fragcolor=lit", "fragcolor = lit"),
        ] {
            let entry = Entry::parse(text).expect(text);
            assert_eq!(entry.to_string(), shown);
            assert_eq!(Entry::parse(&shown.replacen(" = ", "=", 1)), Ok(entry), "{shown}");
        }
    }

    #[test]
    fn a_wrong_entry_has_the_column_and_what_is_expected() {
        for (text, column, wants) in [
            ("", 1, "a register"),
            ("tex0=a", 1, "a register"),
            ("vc0", 4, "`=`"),
            ("vc0:mat4", 4, "`=`"),
            ("va=a", 3, "the register's number"),
            ("vc3..1=a", 6, "a last register"),
            ("vc0.xz=a", 5, "adjacent components"),
            ("vc0=", 5, "a name"),
            ("vc0= :mat4", 6, "a name"),
            ("vc0=é:mat4", 5, "a name"),
            ("vc0=öl:mat5", 8, "a type"),
            ("vc0=a:", 7, "a type"),
            ("vc0=a: vec4[0]", 8, "a type"),
        ] {
            let error = Entry::parse(text).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.wants.starts_with(wants), "{text}: {error}");
        }
        let longest = format!("vc0={}", "n".repeat(LONGEST));
        assert!(Entry::parse(&longest).is_ok());
        assert!(Entry::parse(&format!("{longest}n")).expect_err("too long").wants.starts_with("a shorter name"));
    }

    #[test]
    fn a_name_becomes_an_identifier() {
        for (name, made) in [
            ("mvp", "mvp"),
            ("world matrix", "world_matrix"),
            ("2nd", "n2nd"),
            ("a--b__c_", "a_b_c"),
            ("__x", "x"),
            ("_7", "n7"),
        ] {
            assert_eq!(identifier(name), made);
        }
    }
}
