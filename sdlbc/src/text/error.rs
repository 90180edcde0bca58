//! Errors of the parser, with their positions.
//!
//! Rule: each fault in the text is reported as one error, which names the expected and the found element. An error displays as
//! one lower-case line.

use std::fmt;
use std::ops::Range;

use super::words::{Visible, ids_of};
use crate::messages::messages;
use crate::{Id, Op, limits};

/// The reason why a text cannot be parsed, and the position of the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParseError {
    /// The kind of the fault, with the values that the message shows.
    pub kind: ParseErrorKind,
    /// The byte range of the fault in the text.
    pub span: Range<usize>,
    /// The line of the fault's first byte, counted from 1.
    pub line: usize,
    /// The column of the fault's first byte in characters, counted from 1.
    pub column: usize,
}

messages! {
    /// The kind of a fault in a text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum ParseErrorKind {
        /// The text contains something other than the expected element.
        Expected {
            /// A description of the element that the parser expected.
            expected: String,
            /// The element that the parser found.
            found: String,
        } => "expected {expected}, found {found}";
        /// A word is not one of the words allowed at its position.
        Unknown {
            /// The category of the allowed words, such as `operation`.
            what: &'static str,
            /// The unknown word, in backquotes.
            found: String,
            /// The allowed word nearest to the unknown word; `None` if no allowed word is near.
            nearest: Option<String>,
        } => "unknown {what} {found}{}", suggestion(nearest);
        /// A number is too large or too small.
        Range {
            /// The number as written in the text, in backquotes.
            found: String,
        } => "{found} is out of range";
        /// An instruction has the wrong number of ids.
        Ids {
            /// The operation of the instruction.
            op: Op,
            /// The number of ids in the instruction.
            found: usize,
        } => "`{op}` expects {}, found {}", expected_ids(*op), counted(*found, "id");
        /// An instruction has the wrong number of words, which are the instruction's immediates.
        Words {
            /// The operation of the instruction.
            op: Op,
            /// The number of words in the instruction.
            found: usize,
        } => "`{op}` expects {}, found {}", counted(op.shape().immediates, "word"), counted(*found, "word");
        /// An instruction has an id for its result, but the operation has no result.
        NoResult(op: Op) => "`{op}` has no result";
        /// A string is not closed on its line.
        OpenString => "expected a closing quote, found the end of the line";
        /// A string contains an unknown escape.
        Escape(found: String) => r"unknown escape {found}, expected `\\`, `\n`, `\t`, `\u{{...}}` or a quote";
        /// A `}` has no matching `{`.
        NothingToClose => "unexpected `}}`: nothing is open";
        /// A `{` has no matching `}`.
        Unclosed {
            /// The construct that the `{` opens: a block, function or record.
            what: &'static str,
            /// The line of the `{`, counted from 1.
            line: usize,
        } => "expected `}}`: the {what} opened on line {line} is not closed";
        /// An `else`, `case` or `default` does not continue an `if` or `switch`.
        NoBlockBefore {
            /// The word without a preceding block: `else`, `case` or `default`.
            word: &'static str,
        } => "unexpected `{word}`: it must follow {}", block_before(word);
        /// A line that belongs inside a function is outside all functions.
        Outside => "expected a function, found a line that belongs inside one";
        /// A line is not allowed in the block or debug-table record that contains it.
        Misplaced {
            /// A description of the misplaced line.
            what: &'static str,
            /// A description of the block or record that contains the misplaced line.
            within: &'static str,
        } => "{what} is not allowed in {within}";
        /// An output or source has the wrong number; outputs and sources are numbered from 0.
        Numbering {
            /// The kind of item with the wrong number: `output` or `source`.
            what: &'static str,
            /// The number that the item should have.
            expected: u32,
            /// The number that the item has.
            found: u32,
        } => "expected {what} {expected}, found {what} {found}";
        /// A line that is allowed only once is repeated.
        Repeated {
            /// The keyword of the repeated line, in backquotes.
            what: &'static str,
        } => "a second {what}";
        /// An id has a second name.
        NamedTwice(id: Id) => "a second name for {id}";
        /// An input has a second binding of the source.
        BoundTwice(id: Id) => "a second binding for {id}";
        /// An instruction has a line number, but its function has no `lines of` line.
        NoLines => "this instruction has a line number, but its function has no `lines of`";
        /// An instruction has a line number, but the `lines of` line of its function lists the line numbers itself, or
        /// has a count that excludes the instruction.
        LineListed => "the function's `lines of` does not allow a line number at this instruction";
        /// The `lines of` line of a function counts more line numbers than the function has instructions.
        LineCount {
            /// The number of line numbers according to the `lines of` line.
            count: u32,
            /// The number of instructions in the function.
            instructions: usize,
        } => "expected at most {}, found {count}", counted(*instructions, "line number");
        /// Blocks are nested more deeply than [`limits::NESTING`](crate::limits::NESTING).
        Nesting => "blocks are nested more than {} deep", limits::NESTING;
        /// The text has more instructions than [`limits::INSTRUCTIONS`](crate::limits::INSTRUCTIONS).
        Instructions => "more than {} instructions", limits::INSTRUCTIONS;
        /// The text has more errors, which are not reported.
        More => "more errors follow";
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {}, column {}", self.kind, self.line, self.column)
    }
}

impl std::error::Error for ParseError {}

/// Returns a suggestion of the nearest known word, for the end of a message. Returns an empty string if no known word is near.
fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default()
}

/// Describes the block that must precede an `else`, `case` or `default`.
fn block_before(word: &str) -> &'static str {
    if word == "else" { "the first block of an `if`" } else { "a `case` block" }
}

/// Describes the number of ids that an operation may have, such as `1 or 2 ids`.
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

/// An error whose line and column have not been computed yet.
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

/// Computes the line and column of each error, and sorts the errors by position.
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

/// Quotes a part of the text for an error message, with escapes and at most 40 characters of the text.
pub(super) fn quoted(found: &str) -> String {
    const LONGEST: usize = 40;
    match found.char_indices().nth(LONGEST) {
        None => format!("`{}`", Visible(found)),
        Some((end, _)) => format!("`{}...`", Visible(found.get(..end).unwrap_or_default())),
    }
}
