//! A file, word by word, with meanings.
//!
//! Rule: every byte of the file stands on exactly one line, in order: its offset, its hexadecimal value, what it is.
//! Lines without an offset are remarks. Damage is marked on the line of its byte, behind `<-`, in the words of
//! [`DecodeErrorKind`]; the walk goes on behind what it can step over and calls the rest "not
//! understood". A count is believed only inside the struct that holds it. Whether the file is good is what
//! [`decode()`](crate::decode()) says, and its complaint is among the marks.
//!
//! The text is longer than the file by its nature. So that a hostile file costs no more than a large honest one, the
//! words behind the first [`limits::DUMP_WORDS`] share one line, and so do the marks in them.

mod code;
mod table;

use std::fmt::{self, Write};

use crate::codec::{self, DecodeError, DecodeErrorKind, Dialect, HEADER_BYTES, MAGIC};
use crate::limits;
use crate::text::Quoted;

/// What [`dump()`] makes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The lines.
    pub text: String,
    /// Whether [`crate::decode()`] takes the file.
    pub good: bool,
}

/// Shows every word of a file.
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
    // The body's first fault is worth showing even when the checksum, which comes first, is wrong as well.
    let mut faults = Vec::from_iter(codec::header(bytes).err());
    if bytes.len() >= HEADER_BYTES && bytes.starts_with(&MAGIC) {
        faults.extend(codec::body(bytes).err());
    }
    let good = faults.is_empty();
    // The checksum's line says by itself what is wrong.
    faults.retain(|fault| !matches!(fault.kind, DecodeErrorKind::Checksum { .. }));
    let mut walk = Walk {
        bytes,
        at: 0,
        depth: 0,
        text: String::new(),
        lines: 0,
        faults: faults.iter().map(|fault| (fault.offset, fault.kind.to_string())).collect(),
        complaints: faults,
        dialect: codec::dialect(bytes),
        functions: 0,
    };
    walk.file();
    Dump { text: walk.text, good }
}

/// Indentation stops growing here, so that the text stays in proportion to the file.
const DEEPEST: usize = 24;

/// What is said of words that nothing is known of.
const UNKNOWN: &str = "not understood";

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
    text: String,
    /// How many words have a line.
    lines: usize,
    /// What is wrong at the words ahead.
    faults: Vec<(usize, String)>,
    /// What the reader says is wrong.
    complaints: Vec<DecodeError>,
    dialect: Dialect,
    /// How many functions there were.
    functions: usize,
}

// Every function that takes an `end` leaves the walk there or before it, never behind; only `emit` moves on. When there
// have been lines enough, `emit` moves to the file's end.
impl Walk<'_> {
    /// Writes the next word, or the bytes that are left.
    fn emit(&mut self, meaning: &str) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if rest.is_empty() {
            return;
        }
        let indent = 2 * self.depth.min(DEEPEST);
        let (start, mut end) = (self.at, self.at + rest.len().min(4));
        // A string takes all that is written to it.
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

    /// Marks a byte that is still ahead, unless it is marked already: the reader's mark is there first.
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
        let word = self.bytes.get(self.at..)?.get(4 * ahead..)?.first_chunk()?;
        Some(u32::from_le_bytes(*word))
    }

    /// The next word, if the struct that ends at `end` has one more.
    fn word(&mut self, end: usize, meaning: impl FnOnce(u32) -> String) -> Option<u32> {
        let word = self.peek(0).filter(|_| self.at < end)?;
        self.emit(&meaning(word));
        Some(word)
    }

    /// The next word, of which `known` says what it is if it is something.
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

    /// The next word as an id; what an absent one is called.
    fn id(&mut self, end: usize, name: &str, absent: &str) {
        if let Some(id) = self.peek(0).filter(|&id| id > limits::MAX_ID) {
            self.fault(self.at, DecodeErrorKind::Id(id));
        }
        self.word(end, |id| if id == 0 { absent.to_string() } else { format!("{name} %{id}") });
    }

    /// All words up to `end`, which have one meaning.
    fn rest(&mut self, end: usize, meaning: &str) {
        while self.at < end {
            self.emit(meaning);
        }
    }

    /// The words of a struct that its content does not need, where its count is not marked for them already.
    fn surplus(&mut self, end: usize, what: &'static str, count_at: usize) {
        if self.at < end && !self.complaints.iter().any(|complaint| complaint.offset == count_at) {
            let count = self.bytes.get(count_at..).and_then(<[u8]>::first_chunk);
            let found = count.map_or(0, |&word| u32::from_le_bytes(word));
            self.fault(self.at, DecodeErrorKind::WordCount { what, found });
        }
        self.rest(end, UNKNOWN);
    }

    /// Marks the end of a struct that should not be there yet; true if there is more.
    fn goes_on(&mut self, end: usize, what: &'static str) -> bool {
        if self.at >= end && self.at < self.bytes.len() {
            self.fault(end, DecodeErrorKind::Ends { what });
        }
        self.at < end
    }

    /// The next word as a count of words from a byte on: where they end, if they end in time.
    fn count(&mut self, end: usize, from: usize, what: &'static str, name: &str) -> Option<usize> {
        let found = self.peek(0).filter(|_| self.at < end)?;
        let inner = end_of(from, found).filter(|inner| (self.at + 4..=end).contains(inner));
        if inner.is_none() {
            self.fault(self.at, DecodeErrorKind::WordCount { what, found });
        }
        self.emit(&format!("{}{name}", Words(found)));
        inner
    }

    /// A struct that begins with a tag and its count, in another; `content` is given its end.
    fn tagged(
        &mut self,
        end: usize,
        (outer, what): (&'static str, &'static str),
        name: &str,
        content: impl FnOnce(&mut Self, usize),
    ) {
        let start = self.at;
        if self.word(end, |_| name.to_string()).is_none() {
            return;
        }
        self.depth += 1;
        if self.goes_on(end, outer) {
            let count_at = self.at;
            match self.count(end, start, what, "") {
                Some(inner) => {
                    content(self, inner);
                    self.surplus(inner, what, count_at);
                }
                None => self.rest(end, UNKNOWN),
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
            self.word(end, |stored| verdict(stored, content));
            if self.dialect == Dialect::Header {
                self.remark("sections as the published header numbers them");
            }
            let mut table = false;
            while self.at < end {
                self.section(end, &mut table);
            }
        }
        self.rest(self.bytes.len(), UNKNOWN);
        for (_, fault) in std::mem::take(&mut self.faults) {
            self.remark(&format!("<- {fault}"));
        }
    }

    fn section(&mut self, end: usize, table: &mut bool) {
        match self.peek(0) {
            Some(tag) if tag == self.dialect.function() => {
                if *table {
                    self.fault(self.at, DecodeErrorKind::FunctionAfterDebugTable);
                }
                let name = format!("function {}", self.functions);
                self.functions += 1;
                self.tagged(end, ("file", "section"), &name, Self::function);
            }
            Some(tag) if tag == self.dialect.debug_table() => {
                if std::mem::replace(table, true) {
                    self.fault(self.at, DecodeErrorKind::SecondDebugTable);
                }
                self.tagged(end, ("file", "section"), "debug table", Self::debug_table);
            }
            tag => {
                self.fault(self.at, DecodeErrorKind::SectionTag(tag.unwrap_or_default()));
                self.tagged(end, ("file", "section"), "unknown section", |walk, end| walk.rest(end, "skipped"));
            }
        }
    }

    /// A string; false when its end cannot be told.
    fn string(&mut self, end: usize, what: &'static str, name: &str) -> bool {
        if !self.goes_on(end, what) {
            return false;
        }
        // The count is written behind the look at the data, which it does not include.
        let data_at = self.at + 4;
        let count = self.peek(0).unwrap_or_default();
        let Some(data_end) = end_of(data_at, count).filter(|&data_end| data_end <= end) else {
            self.fault(self.at, DecodeErrorKind::WordCount { what: "string", found: count });
            self.emit(&format!("{name}: {}", Words(count)));
            self.rest(end, UNKNOWN);
            return false;
        };
        let data = self.bytes.get(data_at..data_end).unwrap_or_default();
        let text = match codec::text(data) {
            Ok(text) => Quoted(shortened(text)).to_string(),
            Err((kind, offset)) => {
                self.fault(data_at + offset, kind);
                UNKNOWN.to_string()
            }
        };
        self.emit(&format!("{name}: {}, {text}", Words(count)));
        self.depth += 1;
        while self.at < data_end {
            let text = characters(self.peek(0));
            self.emit(&text);
        }
        self.depth -= 1;
        true
    }
}

/// So many words.
struct Words(u32);

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "word" } else { "words" })
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

/// The beginning of a text, which follows word by word anyway.
fn shortened(text: &str) -> &str {
    text.char_indices().nth(64).and_then(|(at, _)| text.get(..at)).unwrap_or(text)
}
