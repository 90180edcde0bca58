//! Decodes a file.
//!
//! Rule: any bytes decode to a module or to an error with its offset. The reader never panics, its time and memory are
//! proportional to the file, and it recurses no deeper than [`limits::NESTING`]. It checks only what is needed to decode the
//! module; [`crate::verify()`] checks whether the program makes sense. Which words a struct has is in `layout.rs`.

use super::kinds::Kinds;
use super::layout::{Entries, INPUTS, OUTPUTS, layout};
use super::region::{Counts, Region, Result, word_at};
use super::{CHECKSUM_AT, DecodeErrorKind, Dialect, HEADER_BYTES, MAGIC, VERSION, VERSION_AT};
use crate::limits::{self, Counted};
use crate::{Blocks, Body, Function, FunctionOutput, Id, Input, Inst, Lines, Member, Module, Op, Source};

/// Decodes the module of a file.
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

/// The checksum in the header of a file.
pub(crate) fn checksum(bytes: &[u8]) -> Option<u32> {
    word_at(bytes, CHECKSUM_AT)
}

/// The dialect of a file, by its first section; the text's if there are no sections.
pub fn dialect(bytes: &[u8]) -> Dialect {
    word_at(bytes, HEADER_BYTES).map_or(Dialect::Text, Dialect::of_first_tag)
}

/// Decodes the sections after the header; stray bytes after the last whole word are ignored.
pub(crate) fn body(bytes: &[u8]) -> Result<Module> {
    let dialect = dialect(bytes);
    let counts = Counts::default();
    let mut file = Region { bytes, at: HEADER_BYTES, end: bytes.len() / 4 * 4, what: "file", counts: &counts };
    let mut module = Module::default();
    module.functions.reserve_exact(file.structs(1, limits::FUNCTIONS));
    let mut debug_table = false;
    while !file.is_empty() {
        let (tag, at, mut section) = file.tagged("section")?;
        if tag == dialect.function() {
            if debug_table {
                return Err(DecodeErrorKind::FunctionAfterDebugTable.at(at));
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
        } else {
            return Err(DecodeErrorKind::SectionTag(tag).at(at));
        }
    }
    Ok(module)
}

/// Makes of every row of the layout a method that reads such a struct.
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

/// The forms of fields that are not in `region.rs`.
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

    /// Adds the instructions of a block that is nested in `depth` others.
    fn block(&mut self, depth: usize, body: &mut Body) -> Result<()> {
        while !self.is_empty() {
            self.counts.add(Counted::Instructions, 1, self.at)?;
            self.inst(depth, body)?;
        }
        Ok(())
    }

    fn inst(&mut self, depth: usize, body: &mut Body) -> Result<()> {
        let (number, at, mut words) = self.tagged("instruction")?;
        let op = Op::from_number(number).ok_or_else(|| DecodeErrorKind::Opcode(number).at(at))?;
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

    /// Adds an instruction with its blocks, and with the case values of a SWITCH.
    fn blocks(&mut self, mut inst: Inst, depth: usize, body: &mut Body) -> Result<()> {
        let sized = match inst.op.shape().blocks {
            Blocks::None | Blocks::Loop => 0,
            Blocks::If => 1,
            Blocks::Switch => {
                let at = self.at;
                let found = self.word()?;
                let cases = usize::try_from(found).unwrap_or(usize::MAX);
                // A case has at least two words, so a higher count is refused before any case is read.
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
