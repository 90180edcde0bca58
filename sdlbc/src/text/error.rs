//! Errors of the parser, with their positions.
//!
//! Rule: each fault of the text is one error, which names what was expected and what was found. Display is one lower-case
//! line.

use std::fmt;
use std::ops::Range;

use super::words::{Visible, ids_of};
use crate::{Id, Op, limits};

/// The reason why a text cannot be read, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The fault.
    pub kind: ParseErrorKind,
    /// The bytes of the text with the error.
    pub span: Range<usize>,
    /// The line of the first byte, counted from 1.
    pub line: usize,
    /// The column of the first byte in characters, counted from 1.
    pub column: usize,
}

/// The kinds of faults in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// Something other than what was expected.
    Expected {
        /// The expected element.
        expected: String,
        /// The element found.
        found: String,
    },
    /// An unknown word.
    Unknown {
        /// The category of words that was expected.
        what: &'static str,
        /// The word.
        found: String,
        /// The nearest known word, if one is near.
        nearest: Option<String>,
    },
    /// A number that is too large or too small.
    Range {
        /// The number.
        found: String,
    },
    /// An instruction with the wrong number of ids.
    Ids {
        /// The operation.
        op: Op,
        /// The number of ids.
        found: usize,
    },
    /// An instruction with the wrong number of words (immediates).
    Words {
        /// The operation.
        op: Op,
        /// The number of words.
        found: usize,
    },
    /// A result of an operation that has none.
    NoResult(Op),
    /// A string that is not closed on its line.
    OpenString,
    /// An unknown escape in a string.
    Escape(String),
    /// A `}` that closes nothing.
    NothingToClose,
    /// A `{` that is not closed.
    Unclosed {
        /// The name of the opened block.
        what: &'static str,
        /// The line of the `{`.
        line: usize,
    },
    /// An `else`, `case` or `default` that does not follow a block that it can follow.
    NoBlockBefore {
        /// The word.
        word: &'static str,
    },
    /// A line that belongs inside a function is outside.
    Outside,
    /// A line in a block or a record of the debug table that cannot contain it.
    Misplaced {
        /// The line.
        what: &'static str,
        /// The name of the block or record.
        within: &'static str,
    },
    /// An output or source with the wrong number; they are numbered from 0.
    Numbering {
        /// The kind of item that is numbered.
        what: &'static str,
        /// The expected number.
        expected: u32,
        /// The number found.
        found: u32,
    },
    /// An item that is allowed only once is repeated.
    Repeated {
        /// The repeated item.
        what: &'static str,
    },
    /// A second name for an id.
    NamedTwice(Id),
    /// An instruction has a line number, but its function has no `lines of`.
    NoLines,
    /// An instruction has a line number, but the `lines of` of its function lists them separately or counts fewer.
    LineListed,
    /// A function with more line numbers than instructions.
    LineCount {
        /// The number of line numbers.
        count: u32,
        /// The number of instructions.
        instructions: usize,
    },
    /// Blocks nested deeper than [`limits::NESTING`](crate::limits::NESTING).
    Nesting,
    /// More instructions than [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
    Instructions,
    /// There are more errors, which are dropped.
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
            Range { found } => write!(f, "{found} is out of range"),
            Ids { op, found } => write!(f, "`{op}` expects {}, found {}", expected_ids(*op), counted(*found, "id")),
            Words { op, found } => {
                let expected = counted(op.shape().immediates, "word");
                write!(f, "`{op}` expects {expected}, found {}", counted(*found, "word"))
            }
            NoResult(op) => write!(f, "`{op}` has no result"),
            OpenString => f.write_str("expected a closing quote, found the end of the line"),
            Escape(found) => write!(f, r"unknown escape {found}, expected `\\`, `\n`, `\t`, `\u{{...}}` or a quote"),
            NothingToClose => f.write_str("unexpected `}`, nothing is open"),
            Unclosed { what, line } => write!(f, "expected `}}`, the {what} opened on line {line} is not closed"),
            NoBlockBefore { word: "else" } => {
                f.write_str("unexpected `else`, it must follow the first block of an `if`")
            }
            NoBlockBefore { word } => write!(f, "unexpected `{word}`, it must follow a `case` block"),
            Outside => f.write_str("expected a function, found a line that belongs inside one"),
            Misplaced { what, within } => write!(f, "{what} is not allowed in {within}"),
            Numbering { what, expected, found } => write!(f, "expected {what} {expected}, found {what} {found}"),
            Repeated { what } => write!(f, "a second {what}"),
            NamedTwice(id) => write!(f, "a second name for {id}"),
            NoLines => f.write_str("this instruction has a line number, but its function has no `lines of`"),
            LineListed => f.write_str("the function's `lines of` does not allow a line number at this instruction"),
            LineCount { count, instructions } => {
                write!(f, "expected at most {}, found {count}", counted(*instructions, "line number"))
            }
            Nesting => write!(f, "blocks are nested more than {} deep", limits::NESTING),
            Instructions => write!(f, "more than {} instructions", limits::INSTRUCTIONS),
            More => f.write_str("more errors follow"),
        }
    }
}

/// One lower-case line that ends with the position.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.kind, self.line, self.column)
    }
}

impl std::error::Error for ParseError {}

/// `2 ids`, `1 or 2 ids`, for errors.
fn expected_ids(op: Op) -> String {
    match ids_of(op) {
        (0, 0) => "no ids".to_string(),
        (fewest, most) if fewest == most => counted(fewest, "id"),
        (fewest, most) if fewest + 1 == most => format!("{fewest} or {}", counted(most, "id")),
        (fewest, most) => format!("{fewest} to {}", counted(most, "id")),
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// An error without its line and column.
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

/// A piece of the text in an error, in quotes, on one line, and shortened.
pub(super) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => format!("`{}`", Visible(found)),
        Some((end, _)) => format!("`{}...`", Visible(found.get(..end).unwrap_or_default())),
    }
}
