//! Decodes a file.
//!
//! Rule: any bytes decode to a module or to an error with its offset. The reader never panics, its time and memory are
//! proportional to the file, and it recurses no deeper than [`limits::NESTING`]. It checks only what is needed to decode the
//! module; [`crate::verify()`] checks whether the program makes sense.

use super::kinds::{self, INPUT_KINDS, Kind, OUTPUT_KINDS};
use super::region::{Counts, Region, Result, word_at};
use super::{CHECKSUM_AT, DecodeErrorKind, Dialect, HEADER_BYTES, INPUTS, MAGIC, OUTPUTS, VERSION, VERSION_AT};
use crate::limits::{self, Counted};
use crate::{Block, Blocks, Function, FunctionKind, FunctionOutput, Id, Input, Inst, Module, Nested, Op};

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
    let mut file = Region { bytes, at: HEADER_BYTES, end: bytes.len() / 4 * 4, what: "file" };
    let mut reader = Reader::default();
    let mut module = Module::default();
    module.functions.reserve_exact(file.structs(1, limits::FUNCTIONS));
    let mut debug_table = false;
    while !file.is_empty() {
        let (tag, at, mut section) = file.tagged("section")?;
        if tag == dialect.function() {
            if debug_table {
                return Err(DecodeErrorKind::FunctionAfterDebugTable.at(at));
            }
            reader.counts.add(Counted::Functions, 1, at)?;
            section.what = "function";
            module.functions.push(reader.function(section)?);
        } else if tag == dialect.debug_table() {
            if debug_table {
                return Err(DecodeErrorKind::SecondDebugTable.at(at));
            }
            debug_table = true;
            section.what = "debug table";
            module.debug = super::table::debug(section, &mut reader.counts)?;
        } else {
            return Err(DecodeErrorKind::SectionTag(tag).at(at));
        }
    }
    Ok(module)
}

/// Reads functions and counts their parts against the limits.
#[derive(Default)]
struct Reader {
    counts: Counts,
}

impl Reader {
    fn function(&mut self, mut words: Region<'_>) -> Result<Function> {
        let at = words.at;
        let number = words.word()?;
        let kind = FunctionKind::ALL.into_iter().find(|&kind| kind as u32 == number);
        let kind = kind.ok_or_else(|| DecodeErrorKind::FunctionKind(number).at(at))?;
        let name = words.name(&mut self.counts)?;
        let inputs = self.entries(words.record(INPUTS, "inputs")?, "input", |entry, counts| {
            Ok(Input {
                id: entry.id()?,
                ty: entry.ty()?,
                kind: kind_of(entry, &INPUT_KINDS, DecodeErrorKind::InputKind, kinds::input_kind)?,
                name: entry.name(counts)?,
            })
        })?;
        let outputs = self.entries(words.record(OUTPUTS, "outputs")?, "output", |entry, counts| {
            Ok(FunctionOutput {
                ty: entry.ty()?,
                kind: kind_of(entry, &OUTPUT_KINDS, DecodeErrorKind::OutputKind, kinds::output_kind)?,
                name: entry.name(counts)?,
            })
        })?;
        Ok(Function { kind, name, inputs, outputs, body: self.block(words, 0)? })
    }

    /// The entries of a record.
    fn entries<'a, T>(
        &mut self,
        mut record: Region<'a>,
        what: &'static str,
        read: fn(&mut Region<'a>, &mut Counts) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut entries = Vec::with_capacity(record.structs(0, limits::INTERFACE));
        while !record.is_empty() {
            self.counts.add(Counted::Interface, 1, record.at)?;
            entries.push(record.entry(what, |entry| read(entry, &mut self.counts))?);
        }
        Ok(entries)
    }

    /// The instructions of a block that is nested in `depth` others.
    fn block(&mut self, mut words: Region<'_>, depth: usize) -> Result<Block> {
        // An instruction is larger in memory than in a file, so capacity is reserved for exactly the instructions present.
        let mut block = Block::with_capacity(words.structs(1, limits::INSTRUCTIONS));
        while !words.is_empty() {
            self.counts.add(Counted::Instructions, 1, words.at)?;
            block.push(self.inst(&mut words, depth)?);
        }
        Ok(block)
    }

    fn inst(&mut self, code: &mut Region<'_>, depth: usize) -> Result<Inst> {
        let (number, at, mut words) = code.tagged("instruction")?;
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
        let first = words.words(if shape.immediates_first { plain } else { 0 })?;
        let output = if shape.output { words.id()? } else { Id::NONE };
        let inputs = words.ids(inputs)?;
        let immediates = if shape.immediates_first { first } else { words.words(plain)? };
        let mut inst = Inst { op, output, inputs, immediates, blocks: Nested::default() };
        if shape.blocks != Blocks::None {
            if depth >= limits::NESTING {
                return Err(DecodeErrorKind::Nesting.at(at));
            }
            self.blocks(&mut inst, words, depth)?;
        }
        Ok(inst)
    }

    /// Reads the blocks of an instruction, and the case values of a SWITCH.
    fn blocks(&mut self, inst: &mut Inst, mut words: Region<'_>, depth: usize) -> Result<()> {
        let mut blocks;
        match inst.op.shape().blocks {
            Blocks::None => return Ok(()),
            Blocks::Loop => blocks = Vec::with_capacity(1),
            Blocks::If => {
                blocks = Vec::with_capacity(2);
                blocks.push(self.sized_block(&mut words, depth)?);
            }
            Blocks::Switch => {
                let at = words.at;
                let found = words.word()?;
                let cases = usize::try_from(found).unwrap_or(usize::MAX);
                // A case has at least two words, so a higher count is refused before any case is read.
                if cases > words.words_left() / 2 {
                    return Err(DecodeErrorKind::WordCount { what: "cases", found }.at(at));
                }
                let room = cases.min(limits::INSTRUCTIONS);
                let mut values = Vec::with_capacity(room);
                blocks = Vec::with_capacity(room + 1);
                for _ in 0..cases {
                    self.counts.add(Counted::Instructions, 1, words.at)?;
                    values.push(words.word()?);
                    blocks.push(self.sized_block(&mut words, depth)?);
                }
                inst.immediates = values.into();
            }
        }
        blocks.push(self.block(words, depth + 1)?);
        inst.blocks = blocks.into();
        Ok(())
    }

    /// A block that is preceded by the number of its words.
    fn sized_block(&mut self, words: &mut Region<'_>, depth: usize) -> Result<Block> {
        let count = words.word()?;
        let block = words.take(words.at, count, "block")?;
        self.block(block, depth + 1)
    }
}

/// Reads the number and data of an input's or output's kind, which `make` turns into the kind.
fn kind_of<T>(
    entry: &mut Region<'_>,
    rows: &'static [Kind],
    unknown: fn(u32) -> DecodeErrorKind,
    make: fn(u32, &[u32]) -> Option<T>,
) -> Result<T> {
    let at = entry.at;
    let number = entry.word()?;
    let row = kinds::find(rows, number).ok_or_else(|| unknown(number).at(at))?;
    let words = entry.words(row.fields.len())?;
    make(number, &words).ok_or_else(|| DecodeErrorKind::KindData { kind: row.name }.at(at))
}
