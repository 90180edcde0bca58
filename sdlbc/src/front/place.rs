//! Positions of findings: parts of instructions, and spans of source text.

use std::collections::BTreeMap;
use std::fmt;

/// The part of an instruction that a finding is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The operation, or the instruction as a whole.
    #[default]
    Operation,
    /// The destination word.
    Destination,
    /// A source word: the first (0), the second (1) or the third (2).
    Source(u8),
}

/// The number of the instruction at `index`: indexes start at 0, numbers at 1.
#[inline]
pub fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// A span of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The line of the first byte, counted from 1.
    pub line: u32,
    /// The column of the first byte in characters, counted from 1.
    pub column: u32,
    /// The macro call whose expansion contains the text. `None` for text that is not part of an expansion.
    pub call: Option<Call>,
}

/// A macro call in the program itself: the outermost of nested calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// The line of the first byte, counted from 1.
    pub line: u32,
    /// The column of the first byte in characters, counted from 1.
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

/// The position of a finding: a byte of the file, a part of an instruction, a span of text, or an instruction and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingPlace {
    /// The number of the instruction, counted from 1.
    pub instruction: Option<u32>,
    /// The part of the instruction.
    pub part: Part,
    /// The byte of the bytecode file.
    pub byte: Option<usize>,
    /// The span of the source text.
    pub span: Option<Span>,
}

impl FindingPlace {
    /// A byte of the bytecode file.
    pub const fn byte(offset: usize) -> FindingPlace {
        FindingPlace { instruction: None, part: Part::Operation, byte: Some(offset), span: None }
    }

    /// A part of the instruction at `index`, counted from 0; `byte` is its offset in the file.
    pub fn part(index: usize, part: Part, byte: usize) -> FindingPlace {
        FindingPlace { instruction: Some(number(index)), part, byte: Some(byte), span: None }
    }

    /// A span of text.
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

/// The spans of the parts of each instruction in the text that it was assembled from.
///
/// A program may have a million instructions, so an instruction whose parts are all on one line is stored in few bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// A row for each instruction.
    rows: Vec<Row>,
    /// The instructions that do not fit into a row, by their indexes.
    wide: BTreeMap<u32, InstructionSpans>,
}

/// An instruction outside of macro calls, whose parts are on one line with one byte per character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Row {
    start: u32,
    line: u32,
    column: u32,
    length: u8,
    /// For the destination and each source, its distance from `start` and its length. The length [`NONE`] marks an absent part.
    parts: [(u8, u8); 4],
}

/// The length that marks an absent part.
const NONE: u8 = u8::MAX;

impl Row {
    /// The row of an instruction, if it fits into one.
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

/// The spans of text of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSpans {
    /// The mnemonic.
    pub operation: Span,
    /// The destination operand.
    pub destination: Option<Span>,
    /// The source operands.
    pub sources: [Option<Span>; 3],
}

impl InstructionSpans {
    /// All spans of the instruction.
    pub fn all(&mut self) -> impl Iterator<Item = &mut Span> {
        let InstructionSpans { operation, destination, sources } = self;
        [operation].into_iter().chain(destination.as_mut()).chain(sources.iter_mut().flatten())
    }
}

impl SourceMap {
    /// The number of instructions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no instructions.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The spans of the instruction at an index, counted from 0.
    pub fn get(&self, index: usize) -> Option<InstructionSpans> {
        let row = self.rows.get(index)?;
        let wide = u32::try_from(index).ok().and_then(|index| self.wide.get(&index));
        Some(wide.copied().unwrap_or_else(|| row.spans()))
    }

    /// The spans of each instruction, in order.
    pub fn iter(&self) -> impl Iterator<Item = InstructionSpans> {
        (0..self.rows.len()).filter_map(|index| self.get(index))
    }

    /// Reserves memory for exactly this many more instructions.
    pub fn reserve(&mut self, instructions: usize) {
        self.rows.reserve_exact(instructions);
    }

    /// Adds the spans of the next instruction.
    pub fn push(&mut self, spans: InstructionSpans) {
        let row = Row::of(&spans);
        if let (None, Ok(index)) = (row, u32::try_from(self.rows.len())) {
            self.wide.insert(index, spans);
        }
        self.rows.push(row.unwrap_or_default());
    }

    /// Returns the position with the span of the text that the part of the instruction was assembled from.
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
