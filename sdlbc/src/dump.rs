//! A file, word by word, with meanings.
//!
//! Rule: every byte of the file stands on exactly one line, in order: its offset, its hexadecimal value, what it is.
//! A walk through damaged bytes goes on behind what it can step over, and calls the rest "not understood". A count is
//! believed only inside the struct that holds it. Lines without an offset are remarks. Whether the file is good is
//! what [`decode()`](crate::decode()) says, and its complaint stands on the line of its byte.

use std::fmt::Write;

use crate::codec::kinds::{self, Field, INPUT_KINDS, Kind, OUTPUT_KINDS};
use crate::codec::{self, DecodeErrorKind, HEADER_BYTES, INPUTS, MAGIC, NAMES, OUTPUTS, TEXT_TAGS};
use crate::print::{Quoted, immediate};
use crate::{FunctionKind, Id, Op, Type, limits};

/// What [`dump()`] makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The lines.
    pub text: String,
    /// Whether [`crate::decode()`] takes the file.
    pub good: bool,
}

/// Shows every word of a file.
pub fn dump(bytes: &[u8]) -> Dump {
    // The body's first fault is worth showing even when the checksum, which comes first, is wrong as well.
    let mut faults = Vec::from_iter(codec::header(bytes).err());
    if bytes.len() >= HEADER_BYTES && bytes.starts_with(&MAGIC) {
        faults.extend(codec::body(bytes).err());
    }
    let good = faults.is_empty();
    // The checksum's line says by itself what is wrong.
    faults.retain(|fault| !matches!(fault.kind, DecodeErrorKind::Checksum { .. }));
    let faults = faults.into_iter().map(|fault| (fault.offset, fault.kind.to_string())).collect();

    let mut walk = Walk { bytes, at: 0, depth: 0, text: String::new(), faults };
    walk.file();
    Dump { text: walk.text, good }
}

/// Indentation stops growing here, so that the text stays in proportion to the file.
const DEEPEST: usize = 24;

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    text: String,
    /// What [`codec`] complains of, and where.
    faults: Vec<(usize, String)>,
}

// Every function that takes an `end` leaves the walk there or before it, never behind; only `emit` moves on.
impl Walk<'_> {
    /// Writes the next word, or the bytes that are left.
    fn emit(&mut self, meaning: &str) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let hex = match rest.first_chunk() {
            Some(&word) => format!("{:08x}", u32::from_le_bytes(word)),
            None => rest.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let (start, end) = (self.at, self.at + rest.len().min(4));
        let indent = 2 * self.depth.min(DEEPEST);
        // A string takes all that is written to it.
        let _ = write!(self.text, "{start:06x}  {hex:<8}  {:indent$}{meaning}", "");
        for (_, fault) in self.faults.iter().filter(|(offset, _)| (start..end).contains(offset)) {
            let _ = write!(self.text, "  <- {fault}");
        }
        self.text.push('\n');
        self.at = end;
    }

    fn remark(&mut self, remark: &str) {
        let indent = 2 * self.depth.min(DEEPEST);
        let _ = writeln!(self.text, "{:18}{:indent$}{remark}", "", "");
    }

    fn peek(&self, ahead: usize) -> Option<u32> {
        let word = self.bytes.get(self.at..)?.get(4 * ahead..)?.first_chunk()?;
        Some(u32::from_le_bytes(*word))
    }

    /// The next word, if the struct that ends at `end` has one more.
    fn word(&mut self, end: usize, meaning: impl FnOnce(u32) -> String) -> Option<u32> {
        let word = self.peek(0).filter(|_| self.at < end)?;
        self.emit(&meaning(word));
        Some(word)
    }

    /// All words up to `end`, which have one meaning.
    fn rest(&mut self, end: usize, meaning: &str) {
        while self.at < end {
            self.emit(meaning);
        }
    }

    /// The next word as the count of a struct that began so many bytes ago: where the struct ends, if it ends in time.
    fn count(&mut self, end: usize, ago: usize, name: &str) -> Option<usize> {
        let count = self.peek(0).filter(|_| self.at < end)?;
        let inner = end_of(self.at.checked_sub(ago)?, count).filter(|inner| (self.at + 4..=end).contains(inner));
        let unusable = if inner.is_some() { "" } else { ": not understood" };
        self.emit(&format!("{name}{count} words{unusable}"));
        inner
    }

    /// A struct that begins with a tag and its count; `content` is given its end.
    fn tagged(&mut self, end: usize, name: &str, content: impl FnOnce(&mut Self, usize)) {
        if self.word(end, |_| name.to_string()).is_none() {
            return;
        }
        self.depth += 1;
        match self.count(end, 4, "") {
            Some(inner) => {
                content(self, inner);
                self.rest(inner, "not understood");
            }
            None => self.rest(end, "not understood"),
        }
        self.depth -= 1;
    }

    fn file(&mut self) {
        let end = self.bytes.len() / 4 * 4;
        if self.bytes.starts_with(&MAGIC) {
            for _ in 0..MAGIC.chunks(4).len() {
                let text = characters(self.peek(0));
                self.emit(&format!("magic {text}"));
            }
            self.word(end, |version| format!("version {version}"));
            let content = self.bytes.get(HEADER_BYTES..);
            self.word(end, |stored| verdict(stored, content));
            while self.at < end {
                self.section(end);
            }
        }
        self.rest(self.bytes.len(), "not understood");
        let faults = std::mem::take(&mut self.faults);
        for (_, fault) in faults.iter().filter(|&&(offset, _)| offset >= self.bytes.len()) {
            self.remark(&format!("<- {fault}"));
        }
    }

    fn section(&mut self, end: usize) {
        match self.peek(0) {
            Some(tag) if tag == TEXT_TAGS.function => self.tagged(end, "function", Self::function),
            Some(tag) if tag == TEXT_TAGS.debug_table => self.tagged(end, "debug table", |walk, end| {
                while walk.at < end {
                    match walk.peek(0) {
                        Some(NAMES) => walk.tagged(end, "names", Self::names),
                        _ => walk.tagged(end, "unknown debug record", |walk, end| walk.rest(end, "skipped")),
                    }
                }
            }),
            _ => self.tagged(end, "unknown section", |walk, end| walk.rest(end, "skipped")),
        }
    }

    fn function(&mut self, end: usize) {
        self.word(end, |number| {
            let kind = FunctionKind::ALL.into_iter().find(|&kind| kind as u32 == number);
            kind.map_or(format!("unknown type {number}"), |kind| format!("{} function", kind.name()))
        });
        if !self.string(end, "name") {
            return;
        }
        if self.peek(0) == Some(INPUTS) {
            self.tagged(end, "inputs", |walk, end| {
                while walk.at < end {
                    walk.entry(end, "input", true, &INPUT_KINDS);
                }
            });
        }
        if self.peek(0) == Some(OUTPUTS) {
            let mut index = 0;
            self.tagged(end, "outputs", |walk, end| {
                while walk.at < end {
                    walk.entry(end, &format!("output {index}"), false, &OUTPUT_KINDS);
                    index += 1;
                }
            });
        }
        self.block(end, 0);
    }

    /// An input or output: its count, its words, its name.
    fn entry(&mut self, end: usize, name: &str, has_id: bool, rows: &'static [Kind]) {
        let inner = self.count(end, 0, &format!("{name}, "));
        self.depth += 1;
        match inner {
            Some(end) => {
                self.entry_words(end, has_id, rows);
                self.rest(end, "not understood");
            }
            None => self.rest(end, "not understood"),
        }
        self.depth -= 1;
    }

    fn entry_words(&mut self, end: usize, has_id: bool, rows: &'static [Kind]) {
        if has_id {
            self.word(end, |id| format!("id {}", Id(id)));
        }
        let length = self.peek(1).unwrap_or_default();
        self.word(end, |word| match Type::from_words(word, length) {
            Some(ty) => format!("type {ty}"),
            None => "unknown type".to_string(),
        });
        self.word(end, |length| if length == 0 { "no length".to_string() } else { format!("length {length}") });
        let mut row = None;
        self.word(end, |number| {
            row = kinds::find(rows, number);
            row.map_or(format!("unknown kind {number}"), |row| row.name.to_string())
        });
        let Some(row) = row else { return };
        for &field in row.fields {
            let field: Field = field;
            self.word(end, |word| kinds::meaning(field, word));
        }
        self.string(end, "name");
    }

    /// A string; false when its end cannot be told.
    fn string(&mut self, end: usize, name: &str) -> bool {
        let Some(count) = self.peek(0).filter(|_| self.at < end) else { return false };
        // The count is written behind the look at the data, which it does not include.
        let data_at = self.at + 4;
        let Some(data_end) = end_of(data_at, count).filter(|&data_end| data_end <= end) else {
            self.emit(&format!("{name}: {count} words: not understood"));
            self.rest(end, "not understood");
            return false;
        };
        let data = self.bytes.get(data_at..data_end).unwrap_or_default();
        let text = match codec::text(data) {
            Ok(text) => Quoted(text).to_string(),
            Err((kind, _)) => kind.to_string(),
        };
        self.emit(&format!("{name}: {count} words, {text}"));
        self.depth += 1;
        while self.at < data_end {
            let text = characters(self.peek(0));
            self.emit(&text);
        }
        self.depth -= 1;
        true
    }

    fn names(&mut self, end: usize) {
        self.word(end, |index| format!("of function {index}"));
        while self.at < end {
            self.word(end, |id| format!("id {}", Id(id)));
            if !self.string(end, "name") {
                self.rest(end, "not understood");
            }
        }
    }

    fn block(&mut self, end: usize, depth: usize) {
        while self.at < end {
            match self.peek(0).map(|number| (number, Op::from_number(number))) {
                Some((_, Some(op))) => {
                    self.tagged(end, op.mnemonic(), |walk, end| walk.operands(op, end, depth));
                }
                Some((number, None)) => {
                    let name = format!("unknown operation {number:#x}");
                    self.tagged(end, &name, |walk, end| walk.rest(end, "skipped"));
                }
                None => self.rest(end, "not understood"),
            }
        }
    }

    fn operands(&mut self, op: Op, end: usize, depth: usize) {
        let shape = op.shape();
        let Some(inputs) = shape.inputs_among(end.saturating_sub(self.at) / 4) else { return };
        if shape.output {
            self.word(end, |id| if id == 0 { "not stored".to_string() } else { format!("output {}", Id(id)) });
        }
        for _ in 0..inputs {
            self.word(end, |id| if id == 0 { "no input".to_string() } else { format!("input {}", Id(id)) });
        }
        if shape.ignored {
            return self.rest(end, "ignored");
        }
        for _ in 0..shape.immediates {
            self.word(end, |word| immediate(op, word));
        }
        if shape.blocks && depth < limits::NESTING {
            let middle = self.peek(0).and_then(|count| end_of(self.at + 4, count)).filter(|&middle| middle <= end);
            let unusable = if middle.is_some() { "" } else { ": not understood" };
            self.word(end, |count| format!("{count} words if true{unusable}"));
            let Some(middle) = middle else { return };
            self.block(middle, depth + 1);
            if self.at < end {
                self.remark("else");
            }
            self.block(end, depth + 1);
        }
    }
}

/// Where so many words end that begin at a byte.
fn end_of(start: usize, count: u32) -> Option<usize> {
    usize::try_from(count).ok()?.checked_mul(4)?.checked_add(start)
}

fn verdict(stored: u32, content: Option<&[u8]>) -> String {
    let computed = crc32fast::hash(content.unwrap_or_default());
    if stored == computed {
        return "checksum, good".to_string();
    }
    format!("checksum, BAD: file says {stored:08x}, content is {computed:08x}")
}

/// The characters of a word, those that cannot be shown escaped.
fn characters(word: Option<u32>) -> String {
    format!("\"{}\"", word.unwrap_or_default().to_le_bytes().escape_ascii())
}
