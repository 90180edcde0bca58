//! Reads typed values from TOML, and reports errors with a line and a column.
//!
//! Rule: the code that reads a table lists all keys that the table may have, so that an unknown key is an error.

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use sdlbc::FunctionKind;
use sdlbc::nearest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, ErrorKind, TextPosition};
use crate::store::{Folder, Store};

/// The maximum size of a scene file or a file of constants, in bytes. The limit is low, because a list of numbers needs a
/// hundred times as much memory as its source text.
pub const LARGEST_DESCRIPTION: u64 = 1 << 20;
/// The maximum size of each program, OBJ file and PNG file of a scene, in bytes.
pub const LARGEST_FILE: u64 = 1 << 29;

/// A source text with the name of its file.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Text {
    /// Reads a file of at most `most` bytes.
    pub(crate) fn read(store: Store<'_>, path: &Path, most: u64) -> Result<Text, Error> {
        let name = path.display().to_string();
        let bytes = store.bytes(path, most)?.into_owned();
        let text = String::from_utf8(bytes).map_err(|_| Error::of(&name, ErrorKind::NoText))?;
        Ok(Text { name, text })
    }

    pub(crate) fn error(&self, span: Range<usize>, kind: ErrorKind) -> Error {
        let place = Some(TextPosition::new(&self.text, span));
        Error { file: self.name.clone(), place, text: Some(self.text.clone()), kind: Box::new(kind) }
    }

    pub(crate) fn toml(&self) -> Result<Spanned<DeTable<'_>>, Error> {
        DeTable::parse(&self.text).map_err(|error| {
            // Only the first line of the parser's message is used.
            let message = error.message().lines().next().unwrap_or_default().to_string();
            self.error(error.span().unwrap_or(0..0), ErrorKind::Toml { message })
        })
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    text: &'a Text,
    entries: &'a DeTable<'a>,
    span: (usize, usize),
    /// The name of the table in messages, such as `a scene`.
    of: &'static str,
}

impl<'a> Table<'a> {
    /// Returns the outermost table of a source text.
    pub(crate) fn outermost(text: &'a Text, parsed: &'a Spanned<DeTable<'a>>, of: &'static str) -> Table<'a> {
        Table { text, entries: parsed.get_ref(), span: (0, 0), of }
    }

    /// Checks that the table contains only the given keys.
    pub(crate) fn only(self, keys: &[&str]) -> Result<Table<'a>, Error> {
        for key in self.entries.keys() {
            let name: &str = key.get_ref();
            if !keys.contains(&name) {
                let near = nearest(name, keys.iter().copied()).map(str::to_string);
                let kind = ErrorKind::UnknownKey { key: name.to_string(), of: self.of, near };
                return Err(self.text.error(key.span(), kind));
            }
        }
        Ok(self)
    }

    pub(crate) fn find(&self, key: &str) -> Option<Node<'a>> {
        let value = self.entries.get(key)?;
        Some(Node { text: self.text, value })
    }

    /// Sets `into` to the value of a key, if the table has the key.
    pub(crate) fn set<T>(
        &self,
        key: &str,
        into: &mut T,
        read: impl FnOnce(&Node<'a>) -> Result<T, Error>,
    ) -> Result<(), Error> {
        if let Some(node) = self.find(key) {
            *into = read(&node)?;
        }
        Ok(())
    }

    pub(crate) fn need(&self, key: &str) -> Result<Node<'a>, Error> {
        self.find(key).ok_or_else(|| self.error(ErrorKind::Missing { key: key.to_string(), of: self.of }))
    }

    /// Creates an error about the table as a whole.
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        match self.span {
            (0, 0) => Error::of(&self.text.name, kind),
            (start, end) => self.text.error(start..end, kind),
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (Key<'a>, Node<'a>)> + use<'a> {
        let text = self.text;
        self.entries.iter().map(move |(key, value)| (Key { text, key }, Node { text, value }))
    }
}

pub(crate) struct Key<'a> {
    text: &'a Text,
    key: &'a Spanned<std::borrow::Cow<'a, str>>,
}

impl<'a> Key<'a> {
    pub(crate) fn name(&self) -> &'a str {
        self.key.get_ref()
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        self.text.error(self.key.span(), kind)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    text: &'a Text,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Node<'a> {
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        self.text.error(self.value.span(), kind)
    }

    pub(crate) fn expected(&self, what: &str) -> Error {
        let found = match self.value.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) | DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.error(ErrorKind::Expected { what: what.to_string(), found })
    }

    pub(crate) fn text(&self) -> Option<&'a str> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn string(&self, what: &str) -> Result<&'a str, Error> {
        self.text().ok_or_else(|| self.expected(what))
    }

    /// Reads a file name, and resolves the name to a path in a folder.
    pub(crate) fn file(&self, folder: Folder<'_>) -> Result<PathBuf, Error> {
        let name = self.string("a file name")?;
        folder.find(name).ok_or_else(|| self.error(ErrorKind::Outside { path: name.to_string() }))
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Table(_))
    }

    pub(crate) fn table(&self, of: &'static str) -> Result<Table<'a>, Error> {
        let DeValue::Table(entries) = self.value.get_ref() else { return Err(self.expected("a table")) };
        let span = self.value.span();
        Ok(Table { text: self.text, entries, span: (span.start, span.end), of })
    }

    pub(crate) fn list(&self) -> Option<Vec<Node<'a>>> {
        let DeValue::Array(list) = self.value.get_ref() else { return None };
        Some(list.iter().map(|value| Node { text: self.text, value }).collect())
    }

    pub(crate) fn truth(&self) -> Result<bool, Error> {
        match self.value.get_ref() {
            DeValue::Boolean(truth) => Ok(*truth),
            _ => Err(self.expected("true or false")),
        }
    }

    /// Reads any number, including `inf` and `nan`.
    pub(crate) fn any_number(&self) -> Result<f64, Error> {
        let number = match self.value.get_ref() {
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|n| n as f64),
            DeValue::Float(float) => float.as_str().parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.expected("a number"))
    }

    pub(crate) fn number(&self, range: RangeInclusive<f64>) -> Result<f64, Error> {
        let number = self.any_number()?;
        if range.contains(&number) {
            return Ok(number);
        }
        let what = match (*range.start(), *range.end()) {
            (f64::MIN, f64::MAX) => "a finite number".to_string(),
            (least, f64::MAX) => format!("a number of at least {least}"),
            (least, most) => format!("a number from {least} to {most}"),
        };
        Err(self.error(ErrorKind::Range { what, found: number.to_string() }))
    }

    pub(crate) fn finite(&self) -> Result<f64, Error> {
        self.number(f64::MIN..=f64::MAX)
    }

    pub(crate) fn whole(&self, range: RangeInclusive<u32>) -> Result<u32, Error> {
        let number = self.any_number()?;
        if number.fract() == 0.0 && (f64::from(*range.start())..=f64::from(*range.end())).contains(&number) {
            #[expect(clippy::cast_possible_truncation, reason = "it is whole and in range")]
            return Ok(number as u32);
        }
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        Err(self.error(ErrorKind::Range { what, found: number.to_string() }))
    }

    /// Reads a list of two whole numbers, or a single number that is used for both.
    pub(crate) fn one_or_two(&self, range: RangeInclusive<u32>) -> Result<[u32; 2], Error> {
        match self.list().as_deref() {
            None => self.whole(range).map(|number| [number; 2]),
            Some([a, b]) => Ok([a.whole(range.clone())?, b.whole(range)?]),
            Some(_) => Err(self.expected("one number or a list of 2")),
        }
    }

    /// Reads a list of `N` finite numbers.
    pub(crate) fn vector<const N: usize>(&self) -> Result<[f64; N], Error> {
        let list = self.list().filter(|list| list.len() == N);
        let list = list.ok_or_else(|| self.expected(&format!("a list of {N} numbers")))?;
        let mut vector = [0.0; N];
        for (number, node) in vector.iter_mut().zip(list) {
            *number = node.finite()?;
        }
        Ok(vector)
    }

    /// Reads a word, and returns the value that `words` pairs with the word.
    pub(crate) fn word<T: Copy>(&self, what: &'static str, words: &[(&'static str, T)]) -> Result<T, Error> {
        let word = self.string(&format!("a {what}"))?;
        if let Some((_, meaning)) = words.iter().find(|(name, _)| *name == word) {
            return Ok(*meaning);
        }
        Err(self.error(unknown_word(word, what, words.iter().map(|(name, _)| *name))))
    }
}

/// Returns the error for an unknown word. The error suggests the most similar valid word.
pub(crate) fn unknown_word<'w>(
    word: &str,
    what: &'static str,
    words: impl Iterator<Item = &'w str> + Clone,
) -> ErrorKind {
    let near = nearest(word, words.clone()).map(str::to_string);
    let all = words.collect::<Vec<_>>().join(", ");
    ErrorKind::UnknownWord { word: word.to_string(), what, near, all }
}

/// Returns the number in a register's name; `None` if the name does not belong to the given register file, such as `va`.
pub(crate) fn register(name: &str, file: &str) -> Option<u32> {
    let number = name.strip_prefix(file)?;
    let plain = !number.is_empty() && number.len() <= 4 && number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse().ok().filter(|_| plain)
}

/// Returns the stages and the number of a register. `files` lists the names of three register files: the vertex stage's, the
/// fragment stage's, and the one that both stages share.
pub(crate) fn registers(name: &str, files: [&str; 3]) -> Option<(&'static [FunctionKind], u32)> {
    const STAGES: [FunctionKind; 2] = [FunctionKind::Vertex, FunctionKind::Fragment];
    let stages = [&STAGES[..1], &STAGES[1..], &STAGES[..]];
    files.into_iter().zip(stages).find_map(|(file, stages)| Some((stages, register(name, file)?)))
}
