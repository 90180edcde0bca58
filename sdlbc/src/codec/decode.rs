//! Decodes a file.
//!
//! Rule: any bytes decode to a module or to an error with its offset. The reader never panics, its time and memory are
//! proportional to the file, and it recurses no deeper than [`limits::NESTING`]. It checks only what is needed to decode the
//! module; [`crate::verify()`] checks whether the program makes sense.

use super::kinds::{self, INPUT_KINDS, Kind, OUTPUT_KINDS};
use super::region::{Counts, Region, Result, word_at};
use super::{CHECKSUM_AT, DecodeErrorKind, Dialect, HEADER_BYTES, INPUTS, MAGIC, OUTPUTS, VERSION, VERSION_AT};
use crate::limits::{self, Counted};
use crate::{Blocks, Body, Function, FunctionKind, FunctionOutput, Id, Input, Inst, Module, Op};

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
        let mut body = Body::with_capacity(words.structs(1, limits::INSTRUCTIONS));
        self.block(words, 0, &mut body)?;
        Ok(Function { kind, name, inputs, outputs, body })
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

    /// Adds the instructions of a block that is nested in `depth` others.
    fn block(&mut self, mut words: Region<'_>, depth: usize, body: &mut Body) -> Result<()> {
        while !words.is_empty() {
            self.counts.add(Counted::Instructions, 1, words.at)?;
            self.inst(&mut words, depth, body)?;
        }
        Ok(())
    }

    fn inst(&mut self, code: &mut Region<'_>, depth: usize, body: &mut Body) -> Result<()> {
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
        self.blocks(inst, words, depth, body)
    }

    /// Adds an instruction with its blocks, and with the case values of a SWITCH.
    fn blocks(&mut self, mut inst: Inst, mut words: Region<'_>, depth: usize, body: &mut Body) -> Result<()> {
        let sized = match inst.op.shape().blocks {
            Blocks::None | Blocks::Loop => 0,
            Blocks::If => 1,
            Blocks::Switch => {
                let at = words.at;
                let found = words.word()?;
                let cases = usize::try_from(found).unwrap_or(usize::MAX);
                // A case has at least two words, so a higher count is refused before any case is read.
                if cases > words.words_left() / 2 {
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
                self.counts.add(Counted::Instructions, 1, words.at)?;
                values.push(words.word()?);
            }
            let count = words.word()?;
            let block = words.take(words.at, count, "block")?;
            self.block(block, depth + 1, body)?;
            body.end_block(place);
        }
        self.block(words, depth + 1, body)?;
        body.end_block(place);
        if let Some(inst) = body.insts_mut().get_mut(place) {
            inst.immediates = values;
        }
        Ok(())
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
