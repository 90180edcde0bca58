//! Lists a file word by word, with the meaning of each word.
//!
//! Rule: every byte of the file is on exactly one line, in order, with its offset, hexadecimal value and meaning. Lines without
//! an offset are remarks. Damage is marked after `<-` on the line of the damaged byte, with the message of the
//! [`DecodeErrorKind`]. The dump continues after damage that can be skipped. After any other damage, the rest of the struct is
//! shown as "not understood". A count is valid only within the struct that contains it. A file is good if
//! [`decode()`](crate::decode()) accepts it. If the decoder rejects the file, the dump also shows the decoder's error. The words
//! of each struct and their names are listed in `codec/layout.rs`.
//!
//! All words after the first [`limits::DUMP_WORDS`] share one line, which shows only their size in bytes and their
//! marks. This limits the length of a hostile file's dump.

mod code;
mod table;

use std::fmt::Write;
use std::ops::Range;

use crate::codec::kinds::{Kinds, meaning};
use crate::codec::layout::{ADDITIONS, layout};
use crate::codec::{self, DecodeError, DecodeErrorKind, Dialect, HEADER_BYTES, MAGIC, end_of};
use crate::members::COMPONENTS;
use crate::text::Quoted;
use crate::{Addition, FunctionKind, InputKind, OutputKind, Type, Unit, limits};

/// The result of [`dump()`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The listing, with one line for each word.
    pub text: String,
    /// Whether [`crate::decode()`] accepts the file.
    pub good: bool,
    /// The errors about unknown parts, in file order. The list is empty unless [`crate::decode_known()`] accepts the file.
    pub unknown: Vec<DecodeError>,
    /// The byte range of each instruction, in file order. Nested instructions follow the instruction that contains them.
    pub instructions: Vec<InstBytes>,
}

/// The byte range that an instruction occupies in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstBytes {
    /// The range of byte offsets in the file, including the instruction's blocks.
    pub bytes: Range<usize>,
    /// The index of the function that contains the instruction.
    pub function: usize,
    /// The index of the instruction in its function, in reading order.
    pub instruction: usize,
}

/// Returns a listing of every word of a file.
///
/// ```
/// let file = sdlbc::encode(&sdlbc::Module::default());
/// let dump = sdlbc::dump(&file);
/// assert!(dump.good);
/// assert_eq!(dump.text, "\
/// 000000  534c4453  magic \"SDLS\"
/// 000004  45444148  magic \"HADE\"
/// 000008  00434252  magic \"RBC\\x00\"
/// 00000c  00000001  version 1
/// 000010  00000000  checksum, good
/// ");
/// assert!(sdlbc::dump(&file[..18]).text.contains("<- the file is shorter than its header\n"));
/// ```
pub fn dump(bytes: &[u8]) -> Dump {
    // The dump shows the first fault in the body even if the checksum, which is checked first, is also wrong.
    let mut faults = Vec::from_iter(codec::header(bytes).err());
    let mut unknown = Vec::new();
    if bytes.len() >= HEADER_BYTES
        && bytes.starts_with(&MAGIC)
        && let Err(first) = codec::body(bytes)
    {
        match codec::known(bytes) {
            Ok((_, all)) if faults.is_empty() => unknown = all,
            Err(fault) if fault != first => faults.push(fault),
            _ => {}
        }
        faults.push(first);
    }
    let good = faults.is_empty();
    // The checksum's own line already reports a wrong checksum.
    faults.retain(|fault| !matches!(fault.kind, DecodeErrorKind::Checksum { .. }));
    let mut dumper = Dumper {
        bytes,
        at: 0,
        depth: 0,
        text: String::new(),
        lines: 0,
        faults: faults.iter().map(|fault| (fault.offset, fault.kind.to_string())).collect(),
        decode_errors: faults,
        dialect: codec::dialect(bytes),
        functions: 0,
        instructions: Vec::new(),
    };
    dumper.file();
    Dump { text: dumper.text, good, unknown, instructions: dumper.instructions }
}

/// The maximum nesting level that is indented. The limit keeps the size of the dump proportional to the file's size.
const DEEPEST: usize = 24;

const UNKNOWN: &str = "not understood";

struct Dumper<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    text: String,
    lines: usize,
    /// The offsets and messages of faults in words that are not written yet.
    faults: Vec<(usize, String)>,
    decode_errors: Vec<DecodeError>,
    dialect: Dialect,
    functions: usize,
    instructions: Vec<InstBytes>,
}

#[derive(Clone, Copy)]
struct Within {
    end: usize,
    what: &'static str,
}

/// Generates, for each row of the layout, a method that shows the row's struct. If the struct cannot be interpreted, the method
/// shows the remaining words as not understood and returns `None`.
macro_rules! shown {
    ($($name:ident($type:ident): $($field:ident = $form:ident$(::<$kind:ident>)?($($shown:expr),*)),*;)*) => {
        impl Dumper<'_> {$(
            fn $name(&mut self, within: Within) -> Option<()> {
                $(self.$form$(::<$kind>)?(within, $($shown),*)?;)*
                Some(())
            }
        )*}
    };
}
layout!(shown);

// Only `emit` moves the reading position, and methods with a parameter `end` call `emit` only before that offset. In a listing
// with too many lines, `emit` moves to the end of the file.
impl Dumper<'_> {
    /// Writes a line for the next word, or for the remaining bytes if they are too few for a word.
    fn emit(&mut self, meaning: &str) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return;
        }
        let indent = 2 * self.depth.min(DEEPEST);
        let (start, mut end) = (self.at, self.at + rest.len().min(4));
        // The result is ignored because writing to a string cannot fail.
        let _ = if self.lines >= limits::DUMP_WORDS && rest.len() > 4 {
            end = self.bytes.len();
            write!(self.text, "{start:06x}  ........  {} bytes that are not shown", rest.len())
        } else if let Some(&word) = rest.first_chunk() {
            write!(self.text, "{start:06x}  {:08x}  {:indent$}{meaning}", u32::from_le_bytes(word), "")
        } else {
            let hex = rest.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            write!(self.text, "{start:06x}  {hex:<8}  {:indent$}{meaning}", "")
        };
        if !self.faults.is_empty() {
            let text = &mut self.text;
            self.faults.retain(|(offset, fault)| {
                let here = (start..end).contains(offset);
                if here {
                    let _ = write!(text, "  <- {fault}");
                }
                !here
            });
        }
        self.text.push('\n');
        self.lines += 1;
        self.at = end;
    }

    /// Marks a byte that is not written yet, unless a fault is already marked at that byte.
    fn fault(&mut self, offset: usize, kind: DecodeErrorKind) {
        if self.faults.iter().all(|(marked, _)| *marked != offset) {
            self.faults.push((offset, kind.to_string()));
        }
    }

    fn remark(&mut self, remark: &str) {
        let indent = 2 * self.depth.min(DEEPEST);
        let _ = writeln!(self.text, "{:18}{:indent$}{remark}", "", "");
    }

    fn peek(&self, ahead: usize) -> Option<u32> {
        codec::word_at(self.bytes, self.at.checked_add(4 * ahead)?)
    }

    fn word(&mut self, end: usize, meaning: impl FnOnce(u32) -> String) -> Option<u32> {
        let word = self.peek(0).filter(|_| self.at < end)?;
        self.emit(&meaning(word));
        Some(word)
    }

    /// Writes the next word with the meaning that `known` returns. If `known` returns `None`, the word is marked with a fault.
    fn known(
        &mut self,
        end: usize,
        known: impl FnOnce(u32) -> Option<String>,
        fault: impl FnOnce(u32) -> DecodeErrorKind,
    ) -> Option<u32> {
        let word = self.peek(0).filter(|_| self.at < end)?;
        let meaning = known(word);
        if meaning.is_none() {
            self.fault(self.at, fault(word));
        }
        self.emit(meaning.as_deref().unwrap_or(UNKNOWN));
        Some(word)
    }

    fn rest(&mut self, end: usize, meaning: &str) {
        while self.at < end {
            self.emit(meaning);
        }
    }

    /// Writes the words that remain in a struct after its content. The first remaining word is marked, unless the decoder already
    /// reported an error at the struct's word count.
    fn surplus(&mut self, end: usize, what: &'static str, count_at: usize) {
        if self.at < end && !self.decode_errors.iter().any(|error| error.offset == count_at) {
            let found = codec::word_at(self.bytes, count_at).unwrap_or_default();
            self.fault(self.at, DecodeErrorKind::WordCount { what, found });
        }
        self.rest(end, UNKNOWN);
    }

    /// Reports whether the struct that ends at `end` has more words. A struct without more words is marked as ending prematurely.
    fn has_more(&mut self, Within { end, what }: Within) -> bool {
        if self.at >= end && self.at < self.bytes.len() {
            self.fault(end, DecodeErrorKind::Ends { what });
        }
        self.at < end
    }

    /// Writes the next word as a count of words that begin at `from`. Returns the offset at which the counted words end, or
    /// `None` if the count is invalid.
    fn count(&mut self, end: usize, from: usize, what: &'static str, name: &str) -> Option<usize> {
        let found = self.peek(0).filter(|_| self.at < end)?;
        let inner = end_of(from, found).filter(|inner| (self.at + 4..=end).contains(inner));
        if inner.is_none() {
            self.fault(self.at, DecodeErrorKind::WordCount { what, found });
        }
        self.emit(&format!("{}{name}", words(found)));
        inner
    }

    /// Writes a struct that begins with a tag and a word count. `content` writes the words that follow, up to the end of the
    /// struct.
    fn tagged(&mut self, outer: Within, what: &'static str, name: &str, content: impl FnOnce(&mut Self, usize)) {
        let start = self.at;
        if self.word(outer.end, |_| name.to_string()).is_none() {
            return;
        }
        self.depth += 1;
        if self.has_more(outer) {
            let count_at = self.at;
            match self.count(outer.end, start, what, "") {
                Some(inner) => {
                    content(self, inner);
                    self.surplus(inner, what, count_at);
                }
                None => self.rest(outer.end, UNKNOWN),
            }
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
            self.word(end, |stored| checksum_meaning(stored, content));
            if self.dialect == Dialect::Header {
                self.remark("sections numbered as in the published header");
            }
            let mut seen = SeenSections::default();
            while self.at < end {
                self.section(end, &mut seen);
            }
        }
        self.rest(self.bytes.len(), UNKNOWN);
        for (_, fault) in std::mem::take(&mut self.faults) {
            self.remark(&format!("<- {fault}"));
        }
    }

    fn section(&mut self, end: usize, seen: &mut SeenSections) {
        let file = Within { end, what: "file" };
        match self.peek(0) {
            Some(tag) if tag == self.dialect.function() => {
                if seen.debug_table {
                    self.fault(self.at, DecodeErrorKind::FunctionAfterDebugTable);
                } else if seen.additions.is_some_and(|at| at != HEADER_BYTES) {
                    self.fault(self.at, DecodeErrorKind::FunctionAfterAdditions);
                }
                let name = format!("function {}", self.functions);
                self.functions += 1;
                self.tagged(file, "section", &name, |dumper, end| {
                    dumper.function(Within { end, what: "function" });
                });
            }
            Some(tag) if tag == self.dialect.debug_table() => {
                if std::mem::replace(&mut seen.debug_table, true) {
                    self.fault(self.at, DecodeErrorKind::SecondDebugTable);
                }
                self.tagged(file, "section", "debug table", Self::debug_table);
            }
            Some(ADDITIONS) => {
                if seen.additions.replace(self.at).is_some() {
                    self.fault(self.at, DecodeErrorKind::SecondAdditions);
                }
                self.tagged(file, "section", "additions", Self::additions);
            }
            tag => {
                self.fault(self.at, DecodeErrorKind::SectionTag(tag.unwrap_or_default()));
                self.tagged(file, "section", "unknown section", |dumper, end| dumper.rest(end, "skipped"));
            }
        }
    }
}

/// The sections seen so far that may occur only once and that restrict the sections after them.
#[derive(Default)]
struct SeenSections {
    debug_table: bool,
    /// The byte offset of the record of additions, if the record has been seen.
    additions: Option<usize>,
}

impl Dumper<'_> {
    fn additions(&mut self, end: usize) {
        let within = Within { end, what: "additions" };
        let mut last = None;
        while self.at < end {
            let number = self.peek(0).unwrap_or_default();
            if last >= Some(number) {
                self.fault(self.at, DecodeErrorKind::AdditionsOrder(number));
            } else if self.at + 4 < end
                && let Some(unknown) = codec::unknown_addition(number, self.peek(1).unwrap_or_default())
            {
                self.fault(self.at, unknown);
            }
            last = Some(number);
            let what = Addition::from_number(number).map_or(UNKNOWN, Addition::what);
            self.word(end, |number| format!("addition {number}: {what}"));
            self.has_more(within);
            self.word(end, |revision| format!("  revision {revision}"));
        }
    }
}

impl Dumper<'_> {
    fn number(&mut self, within: Within, meaning: impl FnOnce(u32) -> String) -> Option<()> {
        self.has_more(within);
        self.word(within.end, meaning);
        Some(())
    }

    /// Writes the next word as an id, or writes `absent` as its meaning if the word is 0.
    fn id(&mut self, within: Within, name: &str, absent: &str) -> Option<()> {
        self.has_more(within);
        if let Some(id) = self.peek(0).filter(|&id| id > limits::MAX_ID) {
            self.fault(self.at, DecodeErrorKind::Id(id));
        }
        self.word(within.end, |id| if id == 0 { absent.to_string() } else { format!("{name} %{id}") });
        Some(())
    }

    fn ty(&mut self, within: Within) -> Option<()> {
        self.has_more(within);
        let length = self.peek(1).filter(|_| self.at + 4 < within.end).unwrap_or_default();
        let ty = |word| Type::from_words(word, length);
        if let Some(Type::Array(_, _, length)) = self.peek(0).and_then(ty).filter(|_| length > limits::ARRAY_LENGTH) {
            self.fault(self.at + 4, DecodeErrorKind::ArrayLength(length));
        }
        let meaning = |word| Some(format!("type {}", ty(word)?));
        self.known(within.end, meaning, |word| DecodeErrorKind::Type { word, length });
        self.number(within, |length| if length == 0 { "no length".to_string() } else { format!("length {length}") })
    }

    fn kind<K: Kinds>(&mut self, within: Within, name: &str) -> Option<()> {
        if !self.has_more(within) {
            return None;
        }
        let number = self.peek(0)?;
        let Some(row) = K::row(number) else {
            self.fault(self.at, K::UNKNOWN(number));
            self.emit(UNKNOWN);
            if K::ROWS.iter().all(|row| row.fields.is_empty()) {
                return Some(());
            }
            // An unknown kind has an unknown number of data words.
            self.rest(within.end, UNKNOWN);
            return None;
        };
        let words = (1..=row.fields.len()).map_while(|ahead| self.peek(ahead)).collect::<Vec<_>>();
        if self.at + 4 * row.fields.len() < within.end && K::from_words(number, &words).is_none() {
            self.fault(self.at, DecodeErrorKind::KindData { kind: row.name });
        }
        self.emit(&format!("{name}{}", row.name));
        row.fields.iter().try_for_each(|&field| self.number(within, |word| meaning(field, word)))
    }

    fn name(&mut self, within: Within, name: &str) -> Option<()> {
        self.text(within, name)
    }

    fn text(&mut self, within: Within, name: &str) -> Option<()> {
        if !self.has_more(within) {
            return None;
        }
        // The string is decoded before its count is written, because the line of the count shows the string.
        let data_at = self.at + 4;
        let count = self.peek(0).unwrap_or_default();
        let Some(data_end) = end_of(data_at, count).filter(|&data_end| data_end <= within.end) else {
            self.fault(self.at, DecodeErrorKind::WordCount { what: "string", found: count });
            self.emit(&format!("{name}: {}", words(count)));
            self.rest(within.end, UNKNOWN);
            return None;
        };
        let data = self.bytes.get(data_at..data_end).unwrap_or_default();
        let text = match codec::text(data) {
            Ok(text) => Quoted(shortened(text)).to_string(),
            Err((kind, offset)) => {
                self.fault(data_at + offset, kind);
                UNKNOWN.to_string()
            }
        };
        self.emit(&format!("{name}: {}, {text}", words(count)));
        self.depth += 1;
        while self.at < data_end {
            let text = characters(self.peek(0));
            self.emit(&text);
        }
        self.depth -= 1;
        Some(())
    }
}

fn words(count: u32) -> String {
    format!("{count} {}", if count == 1 { "word" } else { "words" })
}

fn checksum_meaning(stored: u32, content: Option<&[u8]>) -> String {
    let computed = crc32fast::hash(content.unwrap_or_default());
    if stored == computed {
        return "checksum, good".to_string();
    }
    format!("checksum, BAD: header has {stored:08x}, content has {computed:08x}")
}

fn characters(word: Option<u32>) -> String {
    format!("\"{}\"", word.unwrap_or_default().to_le_bytes().escape_ascii())
}

/// Returns the first 64 characters of a string, because the lines that follow show the complete string.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(64).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}

fn component(number: u32) -> String {
    match COMPONENTS.get(number as usize) {
        Some(name) => format!("component {name}"),
        None => format!("component {number}"),
    }
}
