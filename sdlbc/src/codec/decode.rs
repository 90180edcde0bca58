//! Bytes as a module.
//!
//! Rule: any bytes give a module or an error with its byte; the reader never panics, its time and memory are in
//! proportion to the file, and it goes no deeper than [`limits::NESTING`]. It checks what must hold for the module to
//! be told at all; whether the program makes sense is [`crate::verify()`]'s.

use std::collections::BTreeMap;

use super::kinds::{self, INPUT_KINDS, Kind, OUTPUT_KINDS};
use super::{CHECKSUM_AT, HEADER_BYTES, INPUTS, MAGIC, NAMES, OUTPUTS, TEXT_TAGS, VERSION, VERSION_AT};
use super::{DecodeError, DecodeErrorKind};
use crate::{Block, Function, FunctionKind, Id, Input, Inst, Module, Names, Op, Output, Type, limits};

type Result<T> = std::result::Result<T, DecodeError>;

/// The module of a file.
///
/// # Errors
/// The bytes are not a file of this format.
pub fn decode(bytes: &[u8]) -> Result<Module> {
    header(bytes)?;
    body(bytes)
}

/// Checks the header: the magic bytes, the version, the length and the checksum.
pub(crate) fn header(bytes: &[u8]) -> Result<()> {
    if !bytes.starts_with(&MAGIC) {
        return Err(DecodeErrorKind::Magic.at(0));
    }
    let (Some(version), Some(stored), Some(content)) =
        (word_at(bytes, VERSION_AT), word_at(bytes, CHECKSUM_AT), bytes.get(HEADER_BYTES..))
    else {
        return Err(DecodeErrorKind::HeaderTooShort.at(bytes.len()));
    };
    if version != VERSION {
        return Err(DecodeErrorKind::Version(version).at(VERSION_AT));
    }
    if !bytes.len().is_multiple_of(4) {
        return Err(DecodeErrorKind::Length(bytes.len()).at(bytes.len() / 4 * 4));
    }
    let computed = crc32fast::hash(content);
    if stored != computed {
        return Err(DecodeErrorKind::Checksum { stored, computed }.at(CHECKSUM_AT));
    }
    Ok(())
}

/// Reads what stands behind the header; stray bytes behind the last word are left out.
pub(crate) fn body(bytes: &[u8]) -> Result<Module> {
    // The other numbering of the sections (function 0, debug table 1) is told by the first section's tag, here.
    let tags = TEXT_TAGS;
    let mut file = Region { bytes, at: HEADER_BYTES, end: bytes.len() / 4 * 4, what: "file" };
    let mut module = Module::default();
    let mut debug_table = false;
    while !file.is_empty() {
        let (tag, at, mut section) = file.tagged("section")?;
        if tag == tags.function {
            if debug_table {
                return Err(DecodeErrorKind::FunctionAfterDebugTable.at(at));
            }
            section.what = "function";
            module.functions.push(function(section)?);
        } else if tag == tags.debug_table {
            if debug_table {
                return Err(DecodeErrorKind::SecondDebugTable.at(at));
            }
            debug_table = true;
            section.what = "debug table";
            while !section.is_empty() {
                module.names.push(names(&mut section)?);
            }
        } else {
            return Err(DecodeErrorKind::SectionTag(tag).at(at));
        }
    }
    Ok(module)
}

/// A run of words and the place in it.
struct Region<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    what: &'static str,
}

impl<'a> Region<'a> {
    fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    fn words_left(&self) -> usize {
        self.end.saturating_sub(self.at) / 4
    }

    fn word(&mut self) -> Result<u32> {
        match word_at(self.bytes, self.at) {
            Some(word) if self.at < self.end => {
                self.at += 4;
                Ok(word)
            }
            _ => Err(DecodeErrorKind::Ends { what: self.what }.at(self.at)),
        }
    }

    /// The words from `start` on, so many as the count says that was just read; they must reach at least to here and
    /// at most to the end of this region, which goes on behind them.
    fn take(&mut self, start: usize, count: u32, what: &'static str) -> Result<Region<'a>> {
        let end = usize::try_from(count).ok().and_then(|words| words.checked_mul(4)?.checked_add(start));
        match end {
            Some(end) if (self.at..=self.end).contains(&end) => {
                let region = Region { bytes: self.bytes, at: self.at, end, what };
                self.at = end;
                Ok(region)
            }
            _ => Err(DecodeErrorKind::WordCount { what, found: count }.at(self.at - 4)),
        }
    }

    /// A struct that begins with a tag and its count: the tag, where it stands, and the rest of the words.
    fn tagged(&mut self, what: &'static str) -> Result<(u32, usize, Region<'a>)> {
        let at = self.at;
        let tag = self.word()?;
        let count = self.word()?;
        Ok((tag, at, self.take(at, count, what)?))
    }

    /// A record that must stand here.
    fn record(&mut self, expected: u32, what: &'static str) -> Result<Region<'a>> {
        let at = self.at;
        match self.word()? {
            found if found == expected => {
                let count = self.word()?;
                self.take(at, count, what)
            }
            found => Err(DecodeErrorKind::RecordTag { expected, found }.at(at)),
        }
    }

    /// A struct that begins with its count, and that `read` must read to its end.
    fn entry<T>(&mut self, what: &'static str, read: impl FnOnce(&mut Region<'a>) -> Result<T>) -> Result<T> {
        let at = self.at;
        let count = self.word()?;
        let mut entry = self.take(at, count, what)?;
        let value = read(&mut entry)?;
        if !entry.is_empty() {
            return Err(DecodeErrorKind::WordCount { what, found: count }.at(at));
        }
        Ok(value)
    }

    fn string(&mut self) -> Result<String> {
        let count = self.word()?;
        let data = self.take(self.at, count, "string")?;
        match super::text(data.bytes.get(data.at..data.end).unwrap_or_default()) {
            Ok(text) => Ok(text.to_string()),
            Err((kind, offset)) => Err(kind.at(data.at + offset)),
        }
    }

    fn id(&mut self) -> Result<Id> {
        let at = self.at;
        match self.word()? {
            id if id > limits::MAX_ID => Err(DecodeErrorKind::Id(id).at(at)),
            id => Ok(Id(id)),
        }
    }

    fn ids(&mut self, count: usize) -> Result<Vec<Id>> {
        (0..count).map(|_| self.id()).collect()
    }

    fn words(&mut self, count: usize) -> Result<Vec<u32>> {
        (0..count).map(|_| self.word()).collect()
    }

    fn ty(&mut self) -> Result<Type> {
        let at = self.at;
        let (word, length) = (self.word()?, self.word()?);
        match Type::from_words(word, length) {
            Some(Type::Array(_, _, length)) if length > limits::ARRAY_LENGTH => {
                Err(DecodeErrorKind::ArrayLength(length).at(at + 4))
            }
            Some(ty) => Ok(ty),
            None => Err(DecodeErrorKind::Type { word, length }.at(at)),
        }
    }

    /// A kind of input or output: its number, its data, and what `make` makes of them.
    fn kind<T>(
        &mut self,
        rows: &'static [Kind],
        unknown: fn(u32) -> DecodeErrorKind,
        make: fn(u32, &[u32]) -> Option<T>,
    ) -> Result<T> {
        let at = self.at;
        let number = self.word()?;
        let row = kinds::find(rows, number).ok_or_else(|| unknown(number).at(at))?;
        let words = self.words(row.fields.len())?;
        make(number, &words).ok_or_else(|| DecodeErrorKind::KindData { kind: row.name }.at(at))
    }
}

fn word_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&word| u32::from_le_bytes(word))
}

fn function(mut words: Region<'_>) -> Result<Function> {
    let at = words.at;
    let number = words.word()?;
    let kind = FunctionKind::ALL.into_iter().find(|&kind| kind as u32 == number);
    let kind = kind.ok_or_else(|| DecodeErrorKind::FunctionKind(number).at(at))?;
    let name = words.string()?;

    let mut record = words.record(INPUTS, "inputs")?;
    let mut inputs = Vec::new();
    while !record.is_empty() {
        inputs.push(record.entry("input", |entry| {
            Ok(Input {
                id: entry.id()?,
                ty: entry.ty()?,
                kind: entry.kind(&INPUT_KINDS, DecodeErrorKind::InputKind, kinds::input_kind)?,
                name: entry.string()?,
            })
        })?);
    }
    let mut record = words.record(OUTPUTS, "outputs")?;
    let mut outputs = Vec::new();
    while !record.is_empty() {
        outputs.push(record.entry("output", |entry| {
            Ok(Output {
                ty: entry.ty()?,
                kind: entry.kind(&OUTPUT_KINDS, DecodeErrorKind::OutputKind, kinds::output_kind)?,
                name: entry.string()?,
            })
        })?);
    }
    Ok(Function { kind, name, inputs, outputs, body: block(words, 0)? })
}

/// The instructions of a block that stands in so many others.
fn block(mut words: Region<'_>, depth: usize) -> Result<Block> {
    let mut block = Block::new();
    while !words.is_empty() {
        block.push(inst(&mut words, depth)?);
    }
    Ok(block)
}

fn inst(code: &mut Region<'_>, depth: usize) -> Result<Inst> {
    let (number, at, mut words) = code.tagged("instruction")?;
    let op = Op::from_number(number).ok_or_else(|| DecodeErrorKind::Opcode(number).at(at))?;
    let shape = op.shape();
    let operands = words.words_left();
    let Some(inputs) = shape.inputs_among(operands) else {
        let found = word_at(words.bytes, at + 4).unwrap_or_default();
        return Err(DecodeErrorKind::WordCount { what: op.mnemonic(), found }.at(at + 4));
    };
    let output = if shape.output { words.id()? } else { Id::NONE };
    let inputs = words.ids(inputs)?;
    let immediates = words.words(if shape.ignored { operands } else { shape.immediates })?;
    let mut blocks = Vec::new();
    if shape.blocks {
        if depth >= limits::NESTING {
            return Err(DecodeErrorKind::Nesting.at(at));
        }
        let count = words.word()?;
        let first = words.take(words.at, count, "block")?;
        blocks = vec![block(first, depth + 1)?, block(words, depth + 1)?];
    }
    Ok(Inst { op, output, inputs, immediates, blocks })
}

fn names(table: &mut Region<'_>) -> Result<Names> {
    let (tag, at, mut words) = table.tagged("debug record")?;
    if tag != NAMES {
        return Err(DecodeErrorKind::DebugRecord(tag).at(at));
    }
    words.what = "names";
    let function = words.word()?;
    let mut ids = BTreeMap::new();
    while !words.is_empty() {
        let at = words.at;
        let id = words.id()?;
        if ids.last_key_value().is_some_and(|(&last, _)| last >= id) {
            return Err(DecodeErrorKind::NamesOrder(id.0).at(at));
        }
        ids.insert(id, words.string()?);
    }
    Ok(Names { function, ids })
}
