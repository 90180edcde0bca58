//! Errors of the parser, with their positions.
//!
//! Rule: each fault of the text is one error, which names what was expected and what was found. Display is one lower-case
//! line.

use std::fmt;
use std::ops::Range;

use super::words::{Visible, ids_of};
use crate::messages::messages;
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

messages! {
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
        } => "expected {expected}, found {found}";
        /// An unknown word.
        Unknown {
            /// The category of words that was expected.
            what: &'static str,
            /// The word.
            found: String,
            /// The nearest known word, if there is a near match.
            nearest: Option<String>,
        } => "unknown {what} {found}{}", suggestion(nearest);
        /// A number that is too large or too small.
        Range {
            /// The number.
            found: String,
        } => "{found} is out of range";
        /// An instruction with the wrong number of ids.
        Ids {
            /// The operation.
            op: Op,
            /// The number of ids.
            found: usize,
        } => "`{op}` expects {}, found {}", expected_ids(*op), counted(*found, "id");
        /// An instruction with the wrong number of words (immediates).
        Words {
            /// The operation.
            op: Op,
            /// The number of words.
            found: usize,
        } => "`{op}` expects {}, found {}", counted(op.shape().immediates, "word"), counted(*found, "word");
        /// A result of an operation that has none.
        NoResult(op: Op) => "`{op}` has no result";
        /// A string that is not closed on its line.
        OpenString => "expected a closing quote, found the end of the line";
        /// An unknown escape in a string.
        Escape(found: String) => r"unknown escape {found}, expected `\\`, `\n`, `\t`, `\u{{...}}` or a quote";
        /// A `}` that closes nothing.
        NothingToClose => "unexpected `}}`, nothing is open";
        /// A `{` that is not closed.
        Unclosed {
            /// The name of the opened block.
            what: &'static str,
            /// The line of the `{`.
            line: usize,
        } => "expected `}}`, the {what} opened on line {line} is not closed";
        /// An `else`, `case` or `default` that does not follow a block that it can follow.
        NoBlockBefore {
            /// The word.
            word: &'static str,
        } => "unexpected `{word}`, it must follow {}", block_before(word);
        /// A line that belongs inside a function is outside.
        Outside => "expected a function, found a line that belongs inside one";
        /// A line in a block or a record of the debug table that cannot contain it.
        Misplaced {
            /// The line.
            what: &'static str,
            /// The name of the block or record.
            within: &'static str,
        } => "{what} is not allowed in {within}";
        /// An output or source with the wrong number; they are numbered from 0.
        Numbering {
            /// The kind of item that is numbered.
            what: &'static str,
            /// The expected number.
            expected: u32,
            /// The number found.
            found: u32,
        } => "expected {what} {expected}, found {what} {found}";
        /// An item that is allowed only once is repeated.
        Repeated {
            /// The repeated item.
            what: &'static str,
        } => "a second {what}";
        /// A second name for an id.
        NamedTwice(id: Id) => "a second name for {id}";
        /// An instruction has a line number, but its function has no `lines of`.
        NoLines => "this instruction has a line number, but its function has no `lines of`";
        /// An instruction has a line number, but the `lines of` of its function lists them separately or counts fewer.
        LineListed => "the function's `lines of` does not allow a line number at this instruction";
        /// A function with more line numbers than instructions.
        LineCount {
            /// The number of line numbers.
            count: u32,
            /// The number of instructions.
            instructions: usize,
        } => "expected at most {}, found {count}", counted(*instructions, "line number");
        /// Blocks nested deeper than [`limits::NESTING`](crate::limits::NESTING).
        Nesting => "blocks are nested more than {} deep", limits::NESTING;
        /// More instructions than [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
        Instructions => "more than {} instructions", limits::INSTRUCTIONS;
        /// There are more errors, which are dropped.
        More => "more errors follow";
    }
}

/// One lower-case line that ends with the position.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.kind, self.line, self.column)
    }
}

impl std::error::Error for ParseError {}

/// The end of a message that suggests the nearest known word, if there is one.
fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|nearest| format!(", did you mean `{nearest}`?")).unwrap_or_default()
}

/// The block that must precede an `else`, `case` or `default`.
fn block_before(word: &str) -> &'static str {
    if word == "else" { "the first block of an `if`" } else { "a `case` block" }
}

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

/// A part of the text for an error message: in quotes, on one line, and shortened.
pub(super) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => format!("`{}`", Visible(found)),
        Some((end, _)) => format!("`{}...`", Visible(found.get(..end).unwrap_or_default())),
    }
}
