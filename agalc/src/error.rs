//! Errors and warnings about inputs.
//!
//! Callers can match on the kind of an error or a warning, which contains its data and its position. `Display` writes
//! one line.

use std::fmt;
use std::ops::Range;

use sdlbc::limits::Counted;
use sdlbc::{AttachError, DecodeError, LeftOut, ParseError, Violation};

use crate::finding::{Finding, InstructionSet};
use crate::input::{Encoding, Foreign, Program, Text};
use crate::names::NameWarning;
use crate::paste::Pasting;

/// Why an input cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct InputError {
    /// The input's name.
    pub name: String,
    /// The kind of the error.
    pub kind: InputErrorKind,
}

/// The kind of an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// The input is of a known kind of file that is neither AGAL nor SDLSHADERBC.
    Foreign(Foreign),
    /// The input is text that is not UTF-8, and warnings are errors.
    NotUtf8(BytePosition),
    /// The input is not text, but text is required.
    NotText,
    /// The input is in another language, but AGAL is required.
    NotAgal,
    /// No text assembles to the program.
    NoText,
    /// An SDLSHADERBC file that cannot be read.
    Decode(DecodeError),
    /// A module's text that cannot be parsed.
    Parse {
        /// The text.
        text: Text,
        /// All errors in the text.
        errors: Vec<ParseError>,
    },
    /// A module that breaks the rules of SDLSHADERBC.
    Rules {
        /// The text that it was parsed from.
        text: Option<Text>,
        /// The broken rules, each with its range in the text.
        violations: Vec<(Violation, Option<Range<usize>>)>,
    },
    /// A program that has errors or cannot be read.
    Program(Box<Program>),
    /// A source in WGSL, GLSL or SPIR-V that is refused.
    #[cfg(feature = "sources")]
    Source {
        /// The text; `None` for SPIR-V.
        text: Option<Text>,
        /// The reasons, in the order of the source.
        refusals: Vec<naga_front::Refusal>,
    },
    /// A debug table that does not belong to the module.
    DebugTable(AttachError),
}

/// The position of a byte in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BytePosition {
    /// The line, counted from 1.
    pub line: usize,
    /// The offset, counted from 0.
    pub byte: usize,
}

/// A warning about a file that is used anyway. Warnings about its program are in [`Program::findings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The input's name.
    pub name: String,
    /// The kind of the warning.
    pub kind: WarningKind,
}

/// The kind of a warning about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// Text that is not UTF-8 is read in another encoding. The position is that of the first byte that is not UTF-8.
    NotUtf8(Encoding, BytePosition),
    /// The pasted text or bytes are read as AGAL. This is a note, and never an error.
    Pasted(Pasting),
    /// An unknown part of an SDLSHADERBC file was skipped. This is a note, and never an error.
    Unknown(DecodeError),
    /// A module, which is shown unchanged, breaks a rule, at a line of its text if it was parsed from one.
    Rule(Violation, Option<usize>),
    /// A name or a text that the format cannot store, which is left out of the debug table.
    LeftOut(LeftOut),
    /// A name is not used, or is used in another form.
    Name(NameWarning),
    /// Constants should become literals, but no program gives a value to a constant.
    NothingToInline,
    /// The options give a value to an override that no input has.
    NoOverride(String),
}

/// The reason why inputs that are each valid cannot become one module.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PairError {
    /// The inputs are not one vertex and one fragment program.
    NotAPair {
        /// The number of vertex programs.
        vertex: usize,
        /// The number of fragment programs.
        fragment: usize,
    },
    /// The fragment program reads a varying that the vertex program, which is of another language, does not write.
    NotWritten {
        /// The varying's name.
        name: String,
    },
    /// The combined module breaks rules that each module follows by itself.
    Rules(Vec<Violation>),
    /// The resulting module exceeds a limit.
    TooMuch {
        /// The inputs' names, each quoted.
        names: String,
        /// The exceeded limit.
        counted: Counted,
        /// The number found.
        found: usize,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            InputErrorKind::Foreign(foreign) => f.write_str(&foreign.refusal(&self.name)),
            // These kinds are about the file as a whole and not about its contents.
            InputErrorKind::NotUtf8(_) | InputErrorKind::NotText | InputErrorKind::NotAgal | InputErrorKind::NoText => {
                write!(f, "`{}` {}", self.name, self.kind)
            }
            _ => write!(f, "{}: {}", self.name, self.kind),
        }
    }
}

impl std::error::Error for InputError {}

/// Writes the first error, and the number of the other errors.
fn first_of<T>(f: &mut fmt::Formatter<'_>, all: &[T], show: impl Fn(&T) -> String) -> fmt::Result {
    f.write_str(&all.first().map(show).unwrap_or_default())?;
    match all.len().saturating_sub(1) {
        0 => Ok(()),
        more => write!(f, ", and {more} more"),
    }
}

impl fmt::Display for InputErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputErrorKind::Foreign(foreign) => foreign.fmt(f),
            InputErrorKind::NotUtf8(BytePosition { line, byte }) => {
                write!(f, "is text, but line {line} is not in UTF-8 (byte {byte})")
            }
            InputErrorKind::NotText => f.write_str("is not text"),
            InputErrorKind::NotAgal => f.write_str("is not AGAL"),
            InputErrorKind::NoText => f.write_str("has no text that assembles to it"),
            InputErrorKind::Decode(error) => error.fmt(f),
            InputErrorKind::Parse { errors, .. } => first_of(f, errors, ToString::to_string),
            #[cfg(feature = "sources")]
            InputErrorKind::Source { text, refusals } => first_of(f, refusals, |refusal| {
                let line = text.as_ref().and_then(|text| refusal.position(text.as_str()));
                line.map_or_else(|| refusal.to_string(), |(line, _)| format!("line {line}: {refusal}"))
            }),
            InputErrorKind::Rules { violations, .. } => first_of(f, violations, |(violation, _)| violation.to_string()),
            InputErrorKind::Program(program) => {
                let errors: Vec<&Finding> = program.findings.iter().filter(|finding| finding.is_error()).collect();
                first_of(f, &errors, |finding| match (finding.set, finding.place.span, finding.place.instruction) {
                    (InstructionSet::Agal, None, Some(token)) => format!("token {token}: {}", finding.message),
                    (InstructionSet::Agal, None, None) => finding.message.clone(),
                    _ => finding.to_string(),
                })
            }
            InputErrorKind::DebugTable(error) => error.fmt(f),
        }
    }
}

impl Warning {
    /// Whether the warning only says how the input is read, so that it is never an error.
    pub const fn is_note(&self) -> bool {
        matches!(self.kind, WarningKind::Pasted(_) | WarningKind::Unknown(_))
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.kind {
            WarningKind::NotUtf8(encoding @ Encoding::Windows1252, BytePosition { line, byte }) => {
                write!(f, "line {line} of `{name}` is not in UTF-8 (byte {byte}); such bytes are read as {encoding}")
            }
            WarningKind::NotUtf8(encoding, _) => {
                write!(f, "`{name}` is in {encoding}, not in UTF-8, and is read as such")
            }
            WarningKind::Pasted(pasting) => write!(f, "`{name}` holds {}, and is read as such", pasting.form),
            WarningKind::Unknown(unknown) => write!(f, "`{name}` has an {unknown}, which is skipped"),
            WarningKind::Rule(violation, Some(line)) => write!(f, "line {line} of `{name}` breaks {violation}"),
            WarningKind::Rule(violation, None) => write!(f, "`{name}` breaks {violation}"),
            WarningKind::LeftOut(left_out) => left_out.fmt(f),
            WarningKind::Name(warning) => warning.fmt(f),
            WarningKind::NoOverride(missing) => write!(f, "there is no override `{missing}` in {name}"),
            WarningKind::NothingToInline => {
                write!(f, "{name} gives no constant a value, so there is nothing to inline")
            }
        }
    }
}

impl fmt::Display for PairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairError::NotAPair { .. } => f.write_str("two inputs must be a pair: one vertex and one fragment program"),
            PairError::NotWritten { name } => write!(f, "the vertex program does not write the varying `{name}`"),
            PairError::Rules(violations) => {
                f.write_str("together the inputs break the rules of SDLSHADERBC: ")?;
                first_of(f, violations, ToString::to_string)
            }
            PairError::TooMuch { names, counted, found } => {
                let (what, most) = (counted.what(), counted.limit());
                write!(f, "{names}: the resulting module has {found} {what}, but the limit is {most}")
            }
        }
    }
}

impl std::error::Error for PairError {}
