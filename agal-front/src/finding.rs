//! What is wrong with a program, and where: one matchable kind per cause, with Flash's number where Flash has one.
//!
//! Rule: libraries say what and where; only the command line renders. Display is one lower-case line.

use std::fmt;

use crate::register::{File, Stage};
use crate::token::{HEADER_BYTES, TOKEN_BYTES};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is used all the same.
    Warning,
    /// The program is refused.
    Error,
}

/// The part of a token that a finding is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The operation, or the token as a whole.
    #[default]
    Operation,
    /// The destination word.
    Destination,
    /// The first or (1) second source word.
    Source(u8),
}

impl Part {
    /// Bytes from the token's start.
    pub const fn offset(self) -> usize {
        match self {
            Part::Operation => 0,
            Part::Destination => 4,
            Part::Source(0) => 8,
            Part::Source(_) => 16,
        }
    }
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
    /// The macro call in whose expansion the text is read. `None` for text that is read where it stands.
    pub call: Option<Call>,
}

/// A macro call in the program itself: the outermost one, where calls are within each other.
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

/// Where in a program: a byte of the file, a part of a token, a stretch of text, or a token and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The token, counted from 1 as Flash does.
    pub token: Option<u32>,
    /// The part of the token.
    pub part: Part,
    /// The byte of the bytecode file.
    pub byte: Option<usize>,
    /// The stretch of the source text.
    pub span: Option<Span>,
}

impl Place {
    /// A byte of the bytecode file.
    pub const fn byte(offset: usize) -> Place {
        Place { token: None, part: Part::Operation, byte: Some(offset), span: None }
    }

    /// A part of the token at `index`, counted from 0.
    pub const fn token(index: usize, part: Part) -> Place {
        let byte = HEADER_BYTES + index * TOKEN_BYTES + part.offset();
        Place { token: Some(index as u32 + 1), part, byte: Some(byte), span: None }
    }

    /// A stretch of text.
    pub const fn text(span: Span) -> Place {
        Place { token: None, part: Part::Operation, byte: None, span: Some(span) }
    }

    /// The end of the program, behind its `tokens` tokens.
    pub const fn end(tokens: usize) -> Place {
        Place { token: None, part: Part::Operation, byte: Some(HEADER_BYTES + tokens * TOKEN_BYTES), span: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Place { span: Some(span), .. } => write!(f, "{span}"),
            Place { token: Some(token), byte: Some(byte), .. } => write!(f, "token {token}, byte {byte}"),
            Place { byte: Some(byte), .. } => write!(f, "byte {byte}"),
            _ => f.write_str("the program"),
        }
    }
}

/// Where the parts of each token stand in the text that they were assembled from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// One entry a token.
    pub tokens: Vec<TokenSpans>,
}

/// The stretches of text of one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSpans {
    /// The mnemonic.
    pub operation: Span,
    /// The destination operand.
    pub destination: Option<Span>,
    /// The source operands.
    pub sources: [Option<Span>; 2],
}

impl SourceMap {
    /// The same place with the text that it came from.
    pub fn locate(&self, place: Place) -> Place {
        let spans = match place.token {
            Some(token) => (token as usize).checked_sub(1).and_then(|index| self.tokens.get(index)),
            None => return place,
        };
        let span = spans.map(|spans| {
            let part = match place.part {
                Part::Operation => None,
                Part::Destination => spans.destination,
                Part::Source(slot) => spans.sources[usize::from(slot & 1)],
            };
            part.unwrap_or(spans.operation)
        });
        Place { span: span.or(place.span), ..place }
    }
}

/// A finding: what, how grave, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause.
    pub kind: Kind,
    /// How much it matters; a caller may lower it.
    pub severity: Severity,
    /// Where it is.
    pub place: Place,
}

impl Finding {
    /// A finding of the kind's own severity.
    pub fn new(kind: Kind, place: Place) -> Finding {
        Finding { severity: kind.severity(), kind, place }
    }

    /// Flash's number for the cause, where Flash has one.
    pub fn code(&self) -> Option<u16> {
        self.kind.code()
    }

    /// Whether the program is refused for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for Finding {}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $({ $($field:ident: $ty:ty),* $(,)? })? , $code:expr, $severity:ident, $message:expr, $help:expr;)*) => {
        /// The cause of a finding.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $name $({ $(#[allow(missing_docs)] $field: $ty),* })?),*
        }

        impl Kind {
            /// Flash's number, where Flash has one.
            pub fn code(&self) -> Option<u16> {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $code),* }
            }

            /// How much it matters unless the caller says otherwise.
            pub const fn severity(&self) -> Severity {
                match self { $(Kind::$name { .. } => Severity::$severity),* }
            }

            /// What to do about it, where that is not plain from the message.
            pub fn help(&self) -> Option<String> {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $help),* }
            }
        }

        impl fmt::Display for Kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => f.write_str(&$message)),* }
            }
        }
    };
}

impl Kind {
    /// Whether a program can be translated in spite of the finding, if the caller says so: it has a meaning then.
    pub const fn is_tolerable(&self) -> bool {
        matches!(
            self,
            Kind::OpcodeVersion { .. }
                | Kind::ComputedCoordinate
                | Kind::UnwrittenRegister { .. }
                | Kind::UnwrittenComponents { .. }
                | Kind::IncompletePosition { .. }
                | Kind::IncompleteColour { .. }
                | Kind::IncompleteVarying { .. }
        )
    }
}

/// The numbers of findings that can be tolerated (see [`Kind::is_tolerable`]).
pub const TOLERABLE: [u16; 9] = [3621, 3633, 3634, 3635, 3647, 3648, 3726, 3741, 3805];

fn help(text: &str) -> Option<String> {
    Some(text.to_string())
}

include!("kinds.rs");
