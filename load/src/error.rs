//! Why inputs cannot be used, and what there is to say of those that can.
//!
//! Rule: each is a kind with its data and its place, for a caller to match and to show. Display is one line.

use std::fmt;
use std::ops::Range;

use agal_front::{Finding, Program};
use sdlbc::limits::Counted;
use sdlbc::{AttachError, DecodeError, LeftOut, ParseError, Violation};

use crate::foreign::Foreign;
use crate::text::Text;

/// Why an input cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    /// The input's name.
    pub name: String,
    /// What is wrong with it.
    pub kind: ErrorKind,
}

/// What is wrong with an input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// It is neither AGAL nor SDLSHADERBC, but something known.
    Foreign(Foreign),
    /// It is text, with a byte that is no UTF-8 and stands in no comment. Where warnings are errors, in one too.
    NotUtf8(Place),
    /// It is no text, where text is needed.
    NotText,
    /// An SDLSHADERBC file that cannot be read.
    Decode(DecodeError),
    /// The text of a module that cannot be read.
    Parse {
        /// The text.
        text: Text,
        /// All that is wrong with it.
        errors: Vec<ParseError>,
    },
    /// A module that breaks rules of SDLSHADERBC.
    Rules {
        /// The text it was read from.
        text: Option<Text>,
        /// The rules it breaks, each with its place in the text.
        violations: Vec<(Violation, Option<Range<usize>>)>,
    },
    /// An AGAL program with errors.
    Program {
        /// The text it was assembled from.
        text: Option<Text>,
        /// The program, if it could be read.
        program: Option<Box<Program>>,
        /// All that was found, warnings too, in the text where there is one.
        findings: Vec<Finding>,
    },
    /// A debug table that does not belong to the module.
    DebugTable(AttachError),
}

/// A byte of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its line, counted from 1.
    pub line: usize,
    /// The byte, counted from 0.
    pub byte: usize,
}

/// What there is to say of a file that is used all the same. (What there is to say of its program stands in
/// [`Agal::findings`](crate::Agal::findings).)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The input's name.
    pub name: String,
    /// What there is to say.
    pub kind: WarningKind,
}

/// What there is to say of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// Comments that are not in UTF-8 are read as Windows-1252; the first byte of them.
    NotUtf8(Place),
    /// A name or a text that no file holds, which the debug table goes without.
    LeftOut(LeftOut),
}

/// Why inputs that can be used make no module, alone or together.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PairError {
    /// Two inputs are not one vertex and one fragment program.
    NotAPair {
        /// The vertex programs.
        vertex: usize,
        /// The fragment programs.
        fragment: usize,
    },
    /// The two modules together break rules that each keeps.
    Rules(Vec<Violation>),
    /// What they become has more of something than a module may have.
    TooMuch {
        /// The inputs' names, each quoted.
        names: String,
        /// What there is too much of.
        counted: Counted,
        /// How many.
        found: usize,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind.is_of_the_file() {
            true => write!(f, "`{}` {}", self.name, self.kind),
            false => write!(f, "{}: {}", self.name, self.kind),
        }
    }
}

impl std::error::Error for Error {}

impl ErrorKind {
    /// Whether it says what the file is, and not what is wrong in it.
    fn is_of_the_file(&self) -> bool {
        matches!(self, ErrorKind::Foreign(_) | ErrorKind::NotUtf8(_) | ErrorKind::NotText)
    }
}

/// The first of all, and how many more there are.
fn first_of<T>(f: &mut fmt::Formatter<'_>, all: &[T], show: impl Fn(&T) -> String) -> fmt::Result {
    f.write_str(&all.first().map(show).unwrap_or_default())?;
    match all.len().saturating_sub(1) {
        0 => Ok(()),
        more => write!(f, ", and {more} more"),
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Foreign(foreign) => foreign.fmt(f),
            ErrorKind::NotUtf8(Place { line, byte }) => {
                write!(f, "is text, but line {line} is not in UTF-8 (byte {byte})")
            }
            ErrorKind::NotText => f.write_str("is no text"),
            ErrorKind::Decode(error) => error.fmt(f),
            ErrorKind::Parse { errors, .. } => first_of(f, errors, ToString::to_string),
            ErrorKind::Rules { violations, .. } => first_of(f, violations, |(violation, _)| violation.to_string()),
            ErrorKind::Program { findings, .. } => {
                let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.is_error()).collect();
                first_of(f, &errors, |finding| match (finding.place.span, finding.place.token) {
                    (Some(span), _) => format!("line {}: {}", span.line, finding.kind),
                    (None, Some(token)) => format!("token {token}: {}", finding.kind),
                    (None, None) => finding.kind.to_string(),
                })
            }
            ErrorKind::DebugTable(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WarningKind::NotUtf8(Place { line, byte }) => write!(
                f,
                "line {line} of `{}` is not in UTF-8 (byte {byte}); comments like it are read as Windows-1252",
                self.name
            ),
            WarningKind::LeftOut(left_out) => left_out.fmt(f),
        }
    }
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairError::NotAPair { .. } => f.write_str("two inputs make a pair: one vertex and one fragment program"),
            PairError::Rules(violations) => {
                f.write_str("together the inputs break the rules of SDLSHADERBC: ")?;
                first_of(f, violations, ToString::to_string)
            }
            PairError::TooMuch { names, counted, found } => {
                let (what, most) = (counted.what(), counted.limit());
                write!(f, "{names}: what this becomes has {found} {what}, and a module has {most} at most")
            }
        }
    }
}

impl std::error::Error for PairError {}
