//! The positions of findings: parts of instructions, and spans of source text.

use std::collections::BTreeMap;
use std::fmt;

/// The part of an instruction that a finding refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The instruction's operation, or the instruction as a whole.
    #[default]
    Operation,
    /// The instruction's destination operand.
    Destination,
    /// One of the instruction's source operands: the first (0), the second (1) or the third (2).
    Source(u8),
}

/// Converts the index of an instruction, counted from 0, into the instruction's number, counted from 1.
#[inline]
pub fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// A range of bytes in source text, with its line and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The byte offset at which the span begins in the source text.
    pub start: usize,
    /// The byte offset just past the last byte of the span.
    pub end: usize,
    /// The line on which the span begins, counted from 1.
    pub line: u32,
    /// The column in which the span begins, in characters counted from 1.
    pub column: u32,
    /// The macro call whose expansion contains the span, or `None` for a span outside any macro.
    pub call: Option<Call>,
}

/// A macro call in the program itself. If macro calls are nested, only the outermost call is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The byte offset at which the call begins in the source text.
    pub start: usize,
    /// The byte offset just past the last byte of the call.
    pub end: usize,
    /// The line on which the call begins, counted from 1.
    pub line: u32,
    /// The column in which the call begins, in characters counted from 1.
    pub column: u32,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        match self.call {
            Some(call) => write!(f, " (in the call at line {}, column {})", call.line, call.column),
            None => Ok(()),
        }
    }
}

/// The position of a finding: a byte of the bytecode file, a part of an instruction, a span of source text, or an instruction
/// together with its source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingPlace {
    /// The number of the instruction, counted from 1, if the finding refers to an instruction.
    pub instruction: Option<u32>,
    /// The part of the instruction that the finding refers to.
    pub part: Part,
    /// The byte offset in the bytecode file, if the position has one.
    pub byte: Option<usize>,
    /// The span of source text, if the position has one.
    pub span: Option<Span>,
}

impl FindingPlace {
    /// Returns the position of a byte in the bytecode file.
    pub const fn byte(offset: usize) -> FindingPlace {
        FindingPlace { instruction: None, part: Part::Operation, byte: Some(offset), span: None }
    }

    /// Returns the position of a part of an instruction. `index` is the index of the instruction, counted from 0, and `byte` is
    /// the byte offset in the bytecode file.
    pub fn part(index: usize, part: Part, byte: usize) -> FindingPlace {
        FindingPlace { instruction: Some(number(index)), part, byte: Some(byte), span: None }
    }

    /// Returns the position of a span of source text.
    pub const fn text(span: Span) -> FindingPlace {
        FindingPlace { instruction: None, part: Part::Operation, byte: None, span: Some(span) }
    }
}

impl fmt::Display for FindingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FindingPlace { span: Some(span), .. } => write!(f, "{span}"),
            FindingPlace { instruction: Some(number), byte: Some(byte), .. } => {
                write!(f, "instruction {number}, byte {byte}")
            }
            FindingPlace { byte: Some(byte), .. } => write!(f, "byte {byte}"),
            _ => f.write_str("the program"),
        }
    }
}

/// For each instruction of an assembled program, the spans of its parts in the source text.
///
/// A program may have a million instructions, so an instruction whose parts are all on one line is stored compactly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    rows: Vec<Row>,
    /// The spans that do not fit into a [`Row`], keyed by the index of the instruction.
    wide: BTreeMap<u32, InstructionSpans>,
}

/// The spans of an instruction that is outside macro calls, fits on one line, and contains only one-byte characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    start: u32,
    line: u32,
    column: u32,
    length: u8,
    /// For the destination and each source operand: its distance from `start` and its length, both in bytes. The length [`NONE`]
    /// marks an absent operand.
    parts: [(u8, u8); 4],
}

const NONE: u8 = u8::MAX;

impl Row {
    fn of(spans: &InstructionSpans) -> Option<Row> {
        let operation = spans.operation;
        let length =
            |span: &Span| u8::try_from(span.end.checked_sub(span.start)?).ok().filter(|length| *length != NONE);
        let [first, second, third] = spans.sources;
        let mut parts = [(0, NONE); 4];
        for (part, span) in parts.iter_mut().zip([spans.destination, first, second, third]) {
            let Some(span) = span else { continue };
            let after = u8::try_from(span.start.checked_sub(operation.start)?).ok()?;
            let is_beside =
                span.line == operation.line && span.column.checked_sub(operation.column) == Some(after.into());
            *part = (after, length(&span).filter(|_| is_beside && span.call.is_none())?);
        }
        operation.call.is_none().then_some(())?;
        let (start, length) = (u32::try_from(operation.start).ok()?, length(&operation)?);
        Some(Row { start, line: operation.line, column: operation.column, length, parts })
    }

    fn spans(&self) -> InstructionSpans {
        let span = |after: u8, length: u8| {
            let start = self.start as usize + usize::from(after);
            let column = self.column.saturating_add(after.into());
            Span { start, end: start + usize::from(length), line: self.line, column, call: None }
        };
        let part = |(after, length): (u8, u8)| (length != NONE).then(|| span(after, length));
        let [destination, first, second, third] = self.parts.map(part);
        InstructionSpans { operation: span(0, self.length), destination, sources: [first, second, third] }
    }
}

/// The spans of source text that belong to one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSpans {
    /// The span of the mnemonic.
    pub operation: Span,
    /// The span of the destination operand, if the instruction has a destination.
    pub destination: Option<Span>,
    /// The spans of the source operands, or `None` for each absent operand.
    pub sources: [Option<Span>; 3],
}

impl InstructionSpans {
    /// Returns mutable references to all spans of the instruction.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Span> {
        let InstructionSpans { operation, destination, sources } = self;
        [operation].into_iter().chain(destination.as_mut()).chain(sources.iter_mut().flatten())
    }
}

impl SourceMap {
    /// Returns the number of instructions in the map.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Reports whether the map contains no instructions.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the spans of the instruction at an index, counted from 0.
    pub fn get(&self, index: usize) -> Option<InstructionSpans> {
        let row = self.rows.get(index)?;
        let wide = u32::try_from(index).ok().and_then(|index| self.wide.get(&index));
        Some(wide.copied().unwrap_or_else(|| row.spans()))
    }

    /// Returns the spans of each instruction, in order.
    pub fn iter(&self) -> impl Iterator<Item = InstructionSpans> {
        (0..self.rows.len()).filter_map(|index| self.get(index))
    }

    /// Reserves memory for exactly `instructions` more instructions.
    pub fn reserve(&mut self, instructions: usize) {
        self.rows.reserve_exact(instructions);
    }

    /// Appends the spans of the next instruction.
    pub fn push(&mut self, spans: InstructionSpans) {
        let row = Row::of(&spans);
        if let (None, Ok(index)) = (row, u32::try_from(self.rows.len())) {
            self.wide.insert(index, spans);
        }
        self.rows.push(row.unwrap_or_default());
    }

    /// Returns `place` with the span of the source text from which the part of the instruction was assembled.
    pub fn locate(&self, place: FindingPlace) -> FindingPlace {
        let spans = match place.instruction {
            Some(number) => (number as usize).checked_sub(1).and_then(|index| self.get(index)),
            None => return place,
        };
        let span = spans.map(|spans| {
            let part = match place.part {
                Part::Operation => None,
                Part::Destination => spans.destination,
                Part::Source(slot) => spans.sources.get(usize::from(slot)).copied().flatten(),
            };
            part.unwrap_or(spans.operation)
        });
        FindingPlace { span: span.or(place.span), ..place }
    }
}

impl FromIterator<InstructionSpans> for SourceMap {
    fn from_iter<I: IntoIterator<Item = InstructionSpans>>(spans: I) -> SourceMap {
        let mut map = SourceMap::default();
        spans.into_iter().for_each(|spans| map.push(spans));
        map
    }
}
