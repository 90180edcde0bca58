//! Places: of a part of an instruction, and of source text.

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

/// A stretch of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte, counted from 1.
    pub line: u32,
    /// Column of the first byte in characters, counted from 1.
    pub column: u32,
    /// The macro call whose expansion contains the text. `None` for text that is not part of an expansion.
    pub call: Option<Call>,
}

/// A macro call in the program itself: the outermost of nested calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte, counted from 1.
    pub line: u32,
    /// Column of the first byte in characters, counted from 1.
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

/// Where a finding is: at a byte of the file, a part of an instruction, a stretch of text, or an instruction and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingPlace {
    /// The number of the instruction, counted from 1.
    pub instruction: Option<u32>,
    /// The part of the instruction.
    pub part: Part,
    /// The byte of the bytecode file.
    pub byte: Option<usize>,
    /// The stretch of the source text.
    pub span: Option<Span>,
}

impl FindingPlace {
    /// A byte of the bytecode file.
    pub const fn byte(offset: usize) -> FindingPlace {
        FindingPlace { instruction: None, part: Part::Operation, byte: Some(offset), span: None }
    }

    /// A part of the instruction at `index`, counted from 0, which is at a byte of the file.
    pub fn part(index: usize, part: Part, byte: usize) -> FindingPlace {
        FindingPlace { instruction: Some(number(index)), part, byte: Some(byte), span: None }
    }

    /// A stretch of text.
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

/// Where the parts of each instruction are in the text that they were assembled from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// One entry for each instruction.
    pub instructions: Vec<InstructionSpans>,
}

/// The stretches of text of one instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionSpans {
    /// The mnemonic.
    pub operation: Span,
    /// The destination operand.
    pub destination: Option<Span>,
    /// The source operands.
    pub sources: [Option<Span>; 3],
}

impl SourceMap {
    /// The same place, with the text that it was assembled from.
    pub fn locate(&self, place: FindingPlace) -> FindingPlace {
        let spans = match place.instruction {
            Some(number) => (number as usize).checked_sub(1).and_then(|index| self.instructions.get(index)),
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
