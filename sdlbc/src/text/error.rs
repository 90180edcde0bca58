//! Why a text is not a module, and where.
//!
//! Rule: one fault of the text is one error, which names what stands there and what must; Display is one lower-case line.

use std::fmt;
use std::ops::Range;

use super::words::{Visible, wanted_ids};
use crate::{Id, Op, limits};

/// Why a text cannot be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong.
    pub kind: ParseErrorKind,
    /// The bytes of the text that it is about.
    pub span: Range<usize>,
    /// The line of the first of them, counted from 1.
    pub line: usize,
    /// Its place in the line in characters, counted from 1.
    pub column: usize,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something else stands where one thing must.
    Expected {
        /// What must stand there.
        expected: String,
        /// What does.
        found: String,
    },
    /// A word that is none of those that may stand there.
    Unknown {
        /// What it should be a word for.
        what: &'static str,
        /// The word.
        found: String,
        /// The nearest of the known words, if one is near.
        nearest: Option<String>,
    },
    /// A number that is too large or too small.
    Range {
        /// The number.
        found: String,
    },
    /// An instruction with another number of ids than its operation has.
    Ids {
        /// The operation.
        op: Op,
        /// How many there are.
        found: usize,
    },
    /// An instruction with another number of plain words than its operation has.
    Words {
        /// The operation.
        op: Op,
        /// How many there are.
        found: usize,
    },
    /// A result of an operation that has none.
    NoResult(Op),
    /// A string that its line ends.
    OpenString,
    /// A `\` in a string and what follows is none of the escapes.
    Escape(String),
    /// A `}` that closes nothing.
    NothingToClose,
    /// Something that was opened with a `{` is not closed here.
    Unclosed {
        /// What was opened.
        what: &'static str,
        /// The line of the `{`.
        line: usize,
    },
    /// An `else`, `case` or `default` behind a block that none can follow.
    NoBlockBefore {
        /// The word.
        word: &'static str,
    },
    /// What belongs into a function stands outside of all.
    Outside,
    /// Something stands in a block or a part of the debug table that cannot hold it.
    Misplaced {
        /// What stands there.
        what: &'static str,
        /// In what.
        within: &'static str,
    },
    /// Outputs and sources count up from 0.
    Numbering {
        /// What is counted.
        what: &'static str,
        /// The number that must stand there.
        expected: u32,
        /// The one that does.
        found: u32,
    },
    /// Something that may be said once is said again.
    Repeated {
        /// What.
        what: &'static str,
    },
    /// A second name for one id.
    NamedTwice(Id),
    /// An instruction has the number of a line, and the function does not say of which source.
    NoLines,
    /// An instruction has the number of a line, and the function lists them by itself or has fewer.
    LineListed,
    /// A function that is said to have more lines than it has instructions.
    LineCount {
        /// Of lines.
        count: u32,
        /// Of instructions.
        instructions: usize,
    },
    /// Blocks nested above [`limits::NESTING`](crate::limits::NESTING).
    Nesting,
    /// More instructions than [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
    Instructions,
    /// There are more errors than are worth showing.
    More,
}

impl fmt::Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ParseErrorKind::*;
        match self {
            Expected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Unknown { what, found, nearest: None } => write!(f, "unknown {what} {found}"),
            Unknown { what, found, nearest: Some(nearest) } => {
                write!(f, "unknown {what} {found}, did you mean `{nearest}`?")
            }
            Range { found } => write!(f, "{found} does not fit here"),
            Ids { op, found } => write!(f, "`{op}` wants {}, found {}", wanted_ids(*op), counted(*found, "id")),
            Words { op, found } => {
                let wanted = counted(op.shape().immediates, "word");
                write!(f, "`{op}` wants {wanted}, found {}", counted(*found, "word"))
            }
            NoResult(op) => write!(f, "`{op}` has no result"),
            OpenString => f.write_str("expected a closing quote, found the end of the line"),
            Escape(found) => write!(f, r"unknown escape {found}, expected `\\`, `\n`, `\t`, `\u{{...}}` or a quote"),
            NothingToClose => f.write_str("`}` closes nothing"),
            Unclosed { what, line } => write!(f, "expected `}}`, the {what} of line {line} is not closed"),
            NoBlockBefore { word } => write!(f, "`{word}` follows no block that it can follow"),
            Outside => f.write_str("expected a function, found what belongs into one"),
            Misplaced { what, within } => write!(f, "{what} cannot stand in {within}"),
            Numbering { what, expected, found } => write!(f, "expected {what} {expected}, found {what} {found}"),
            Repeated { what } => write!(f, "a second {what}"),
            NamedTwice(id) => write!(f, "a second name for {id}"),
            NoLines => f.write_str("expected `lines of` in the function of an instruction with a line"),
            LineListed => f.write_str("the function's `lines of` leaves this instruction no line"),
            LineCount { count, instructions } => {
                write!(f, "expected at most {}, found {count}", counted(*instructions, "line"))
            }
            Nesting => write!(f, "blocks stand more than {} deep inside each other", limits::NESTING),
            Instructions => write!(f, "more than {} instructions", limits::INSTRUCTIONS),
            More => f.write_str("more errors follow"),
        }
    }
}

/// One lower-case line that ends with the place.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.kind, self.line, self.column)
    }
}

impl std::error::Error for ParseError {}

pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// An error before its line is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: ParseErrorKind,
    pub(super) span: Range<usize>,
}

impl ParseErrorKind {
    pub(super) fn at(self, span: Range<usize>) -> Fault {
        Fault { kind: self, span }
    }
}

/// The errors with their lines and columns, in the order of the text.
pub(super) fn located(text: &str, mut faults: Vec<Fault>) -> Vec<ParseError> {
    faults.sort_by_key(|fault| fault.span.start);
    let (mut line, mut column, mut at) = (1, 1, 0);
    let place = |Fault { kind, span }| {
        for c in text.get(at..span.start).unwrap_or_default().chars() {
            (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        at = span.start;
        ParseError { kind, span, line, column }
    };
    faults.into_iter().map(place).collect()
}

/// A piece of the text in an error: in quotes, on one line, and not long.
pub(super) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => format!("`{}`", Visible(found)),
        Some((end, _)) => format!("`{}...`", Visible(found.get(..end).unwrap_or_default())),
    }
}
