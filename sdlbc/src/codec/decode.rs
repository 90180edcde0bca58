//! Decodes a file.
//!
//! Rule: any sequence of bytes decodes to a module or to an error with a byte offset. The reader never panics, needs time and
//! memory proportional to the file's size, and recurses no deeper than [`limits::NESTING`]. The reader checks only the
//! structure of the file, and [`crate::verify()`] checks whether the program is valid. The words of each struct are listed in
//! `layout.rs`.

use std::cell::RefCell;

use super::kinds::Kinds;
use super::layout::{ADDITIONS, Entries, INPUTS, OUTPUTS, RECORDS, WORKGROUP, layout};
use super::region::{Counts, Region, Result, end_of, is_unknown, word_at};
use super::{
    CHECKSUM_AT, DecodeError, DecodeErrorKind, Dialect, HEADER_BYTES, MAGIC, VERSION, VERSION_AT, set_checksum,
};
use crate::limits::{self, Counted};
use crate::{Blocks, Body, Function, FunctionOutput, Id, Input, Inst, Lines, Member, Module, Op, Source};

/// Decodes a file into a module.
///
/// ```
/// use sdlbc::{DecodeErrorKind, Module, decode, encode};
///
/// let mut file = encode(&Module::default());
/// assert_eq!(decode(&file), Ok(Module::default()));
///
/// file.extend([0; 4]);
/// let error = decode(&file).unwrap_err();
/// assert!(matches!(error.kind, DecodeErrorKind::Checksum { .. }));
/// assert_eq!(error.offset, 16);
/// ```
///
/// # Errors
/// Returns an error if the bytes are not a file of this format.
pub fn decode(bytes: &[u8]) -> Result<Module> {
    header(bytes)?;
    body(bytes)
}

/// Decodes the parts of a file that this reader knows. Unknown sections, records and additions are skipped, and each is
/// reported as an error. A shader that needs a skipped part may compute wrong results.
///
/// ```
/// use sdlbc::{Function, Module, decode, decode_known, encode};
///
/// let module = Module { functions: vec![Function::default()], ..Module::default() };
/// assert_eq!(decode_known(&encode(&module)), Ok((module, Vec::new())));
/// ```
///
/// # Errors
/// Returns an error if the bytes are not a file of this format, even if the unknown parts are ignored.
pub fn decode_known(bytes: &[u8]) -> Result<(Module, Vec<DecodeError>)> {
    header(bytes)?;
    known(bytes)
}

/// Returns a copy of a file without its debug table, in the dialect `dialect`. Unknown parts are copied unchanged.
///
/// ```
/// use sdlbc::{Function, Module, Source, dialect, encode, split, stripped};
///
/// let mut module = Module { functions: vec![Function::default()], ..Module::default() };
/// module.debug.sources.push(Source::default());
/// let file = encode(&module);
/// assert_eq!(stripped(&file, dialect(&file)), Ok(encode(&split(&module).0)));
/// ```
///
/// # Errors
/// Returns the same errors as [`decode_known()`].
pub fn stripped(bytes: &[u8], dialect: Dialect) -> Result<Vec<u8>> {
    decode_known(bytes)?;
    let of = self::dialect(bytes);
    let counts = Counts::default();
    let mut file = Region { bytes, at: HEADER_BYTES, end: bytes.len(), what: "file", counts: &counts };
    let mut kept = bytes.get(..HEADER_BYTES).unwrap_or_default().to_vec();
    while !file.is_empty() {
        let (tag, at, section) = file.tagged("section")?;
        if tag != of.debug_table() {
            let tag = if tag == of.function() { dialect.function() } else { tag };
            kept.extend(tag.to_le_bytes());
            kept.extend(bytes.get(at + 4..section.end).unwrap_or_default());
        }
    }
    set_checksum(&mut kept);
    Ok(kept)
}

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

/// Returns the checksum in the header of a file, or `None` if the file is too short to contain a checksum.
pub fn checksum(bytes: &[u8]) -> Option<u32> {
    word_at(bytes, CHECKSUM_AT)
}

/// Returns the dialect of a file, as determined by the first section that is not a record. If all sections are records, the
/// result is the dialect of the published text.
pub fn dialect(bytes: &[u8]) -> Dialect {
    let mut at = HEADER_BYTES;
    while let Some(tag) = word_at(bytes, at) {
        if tag < RECORDS {
            return Dialect::of_first_tag(tag);
        }
        let count = word_at(bytes, at + 4).filter(|&count| count >= 2);
        let Some(next) = count.and_then(|count| end_of(at, count)) else { break };
        at = next;
    }
    Dialect::Text
}

/// Decodes the sections after the header, and ignores stray bytes after the last complete word.
pub(crate) fn body(bytes: &[u8]) -> Result<Module> {
    sections(bytes, &Counts::default())
}

/// Decodes the sections after the header, and steps over parts that the reader does not know.
pub(crate) fn known(bytes: &[u8]) -> Result<(Module, Vec<DecodeError>)> {
    let counts = Counts { unknown: Some(RefCell::default()), ..Counts::default() };
    let module = sections(bytes, &counts)?;
    Ok((module, counts.unknown.map(RefCell::into_inner).unwrap_or_default()))
}

fn sections(bytes: &[u8], counts: &Counts) -> Result<Module> {
    let dialect = dialect(bytes);
    let mut file = Region { bytes, at: HEADER_BYTES, end: bytes.len() / 4 * 4, what: "file", counts };
    let mut module = Module::default();
    module.functions.reserve_exact(file.structs(1, limits::FUNCTIONS));
    if counts.unknown.is_none() {
        file.announced()?;
    }
    let (mut debug_table, mut additions) = (false, None);
    while !file.is_empty() {
        let (tag, at, mut section) = file.tagged("section")?;
        if tag == dialect.function() {
            if debug_table {
                return Err(DecodeErrorKind::FunctionAfterDebugTable.at(at));
            }
            if additions.is_some_and(|at| at != HEADER_BYTES) {
                return Err(DecodeErrorKind::FunctionAfterAdditions.at(at));
            }
            counts.add(Counted::Functions, 1, at)?;
            section.what = "function";
            module.functions.push(section.function()?);
        } else if tag == dialect.debug_table() {
            if debug_table {
                return Err(DecodeErrorKind::SecondDebugTable.at(at));
            }
            debug_table = true;
            section.what = "debug table";
            module.debug = section.debug_table()?;
        } else if tag == ADDITIONS {
            if additions.replace(at).is_some() {
                return Err(DecodeErrorKind::SecondAdditions.at(at));
            }
            section.what = "additions";
            section.additions()?;
        } else if is_section(tag) {
            return Err(DecodeErrorKind::SectionTag(tag).at(at));
        } else {
            counts.step_over(DecodeErrorKind::SectionTag(tag).at(at))?;
        }
    }
    Ok(module)
}

impl Region<'_> {
    /// Returns an error if the file's list of additions contains an unknown addition. This check runs first, because otherwise
    /// the parts that use the addition would cause other errors. Other faults are ignored here, because the reader finds them
    /// when it decodes the sections.
    fn announced(mut self) -> Result<()> {
        while let Ok((tag, _, section)) = self.tagged("section") {
            if tag == ADDITIONS
                && let Err(error) = section.additions()
                && matches!(error.kind, DecodeErrorKind::Addition { .. })
            {
                return Err(error);
            }
        }
        Ok(())
    }
}

const fn is_section(tag: u32) -> bool {
    tag <= Dialect::Text.debug_table()
}

macro_rules! read {
    ($($name:ident($type:ident): $($field:ident = $form:ident$(::<$kind:ident>)?($($shown:expr),*)),*;)*) => {
        impl Region<'_> {$(
            pub(super) fn $name(&mut self) -> Result<$type> {
                Ok($type { $($field: self.$form()?),* })
            }
        )*}
    };
}
layout!(read);

impl Region<'_> {
    fn number(&mut self) -> Result<u32> {
        self.word()
    }

    fn kind<K: Kinds>(&mut self) -> Result<K> {
        let at = self.at;
        let number = self.word()?;
        let row = K::row(number).ok_or_else(|| K::UNKNOWN(number).at(at))?;
        let words = self.words(row.fields.len())?;
        K::from_words(number, &words).ok_or_else(|| DecodeErrorKind::KindData { kind: row.name }.at(at))
    }

    fn line_numbers(&mut self) -> Result<Vec<u32>> {
        Ok(self.words(self.words_left())?.into_vec())
    }

    fn inputs(&mut self) -> Result<Vec<Input>> {
        self.entries(&INPUTS, Region::input)
    }

    fn outputs(&mut self) -> Result<Vec<FunctionOutput>> {
        self.entries(&OUTPUTS, Region::output)
    }

    fn workgroup(&mut self) -> Result<Option<[u32; 3]>> {
        if self.is_empty() || self.peek()? != WORKGROUP {
            return Ok(None);
        }
        let at = self.at;
        let mut record = self.record(WORKGROUP, "workgroup")?;
        let size = [record.word()?, record.word()?, record.word()?];
        if record.is_empty() {
            return Ok(Some(size));
        }
        let found = word_at(self.bytes, at + 4).unwrap_or_default();
        Err(DecodeErrorKind::WordCount { what: "workgroup", found }.at(at + 4))
    }

    fn entries<T>(&mut self, list: &Entries, read: fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut record = self.record(list.tag, list.name)?;
        let mut entries = Vec::with_capacity(record.structs(0, limits::INTERFACE));
        while !record.is_empty() {
            self.counts.add(Counted::Interface, 1, record.at)?;
            entries.push(record.entry(list.entry, read)?);
        }
        Ok(entries)
    }

    fn code(&mut self) -> Result<Body> {
        let mut body = Body::with_capacity(self.structs(1, limits::INSTRUCTIONS));
        self.block(0, &mut body)?;
        Ok(body)
    }

    fn block(&mut self, depth: usize, body: &mut Body) -> Result<()> {
        while !self.is_empty() {
            self.counts.add(Counted::Instructions, 1, self.at)?;
            self.inst(depth, body)?;
        }
        Ok(())
    }

    fn inst(&mut self, depth: usize, body: &mut Body) -> Result<()> {
        let (number, at, mut words) = self.tagged("instruction")?;
        let Some(op) = Op::from_number(number) else {
            return match is_unknown(number) {
                true => self.counts.step_over(DecodeErrorKind::Record(number).at(at)),
                false => Err(DecodeErrorKind::Opcode(number).at(at)),
            };
        };
        words.what = op.mnemonic();
        let shape = op.shape();
        let operands = words.words_left();
        let Some(inputs) = shape.inputs_among(operands) else {
            let found = word_at(words.bytes, at + 4).unwrap_or_default();
            return Err(DecodeErrorKind::WordCount { what: op.mnemonic(), found }.at(at + 4));
        };
        let plain = if shape.ignored { operands } else { shape.immediates };
        self.counts.add(Counted::Operands, inputs.saturating_add(plain), at)?;
        let mut inst = Inst::new(op, Id::NONE, &[], &[]);
        if shape.immediates_first {
            inst.immediates = words.words(plain)?;
        }
        if shape.output {
            inst.output = words.id()?;
        }
        inst.inputs = words.ids(inputs)?;
        if !shape.immediates_first {
            inst.immediates = words.words(plain)?;
        }
        if shape.blocks == Blocks::None {
            body.push(inst);
            return Ok(());
        }
        if depth >= limits::NESTING {
            return Err(DecodeErrorKind::Nesting.at(at));
        }
        words.blocks(inst, depth, body)
    }

    fn blocks(&mut self, mut inst: Inst, depth: usize, body: &mut Body) -> Result<()> {
        let sized = match inst.op.shape().blocks {
            Blocks::None | Blocks::Loop => 0,
            Blocks::If => 1,
            Blocks::Switch => {
                let at = self.at;
                let found = self.word()?;
                let cases = found as usize;
                // A case has at least two words, so a count above half of the remaining words is rejected before any case is
                // read.
                if cases > self.words_left() / 2 {
                    return Err(DecodeErrorKind::WordCount { what: "cases", found }.at(at));
                }
                cases
            }
        };
        let is_switch = inst.op.shape().blocks == Blocks::Switch;
        let mut values = std::mem::take(&mut inst.immediates);
        let place = body.open(inst);
        for _ in 0..sized {
            if is_switch {
                self.counts.add(Counted::Instructions, 1, self.at)?;
                values.push(self.word()?);
            }
            let count = self.word()?;
            let mut block = self.take(self.at, count, "block")?;
            block.block(depth + 1, body)?;
            body.end_block(place);
        }
        self.block(depth + 1, body)?;
        body.end_block(place);
        if let Some(inst) = body.insts_mut().get_mut(place) {
            inst.immediates = values;
        }
        Ok(())
    }
}
