//! Errors and warnings about inputs.
//!
//! Callers can match on the kind of an error or a warning. The kind contains the position and the other data of the message.
//! `Display` writes a single line.

use std::fmt;
use std::ops::Range;

use sdlbc::front::{Assumption, Lost};
use sdlbc::limits::Counted;
use sdlbc::{AttachError, DecodeError, LeftOut, ParseError, Violation};

use crate::finding::{Finding, InstructionSet};
use crate::input::{Encoding, Foreign, Program, Text};
use crate::names::NameWarning;
use crate::paste::Pasting;

/// The reason why an input cannot be used.
#[derive(Clone, Debug, PartialEq)]
pub struct InputError {
    /// The name of the input: a path, or a placeholder such as `<stdin>`.
    pub name: String,
    /// The reason why the input cannot be used, with the data for the message.
    pub kind: InputErrorKind,
}

/// The kinds of errors that make an input unusable.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputErrorKind {
    /// The input is a file of a known kind that is neither AGAL nor SDLSHADERBC.
    Foreign(Foreign),
    /// The input is text that is not UTF-8, and warnings are treated as errors.
    NotUtf8(BytePosition),
    /// The input is not text, although text is required.
    NotText,
    /// The input is in another language, although AGAL is required.
    NotAgal,
    /// No AGAL text assembles to the program.
    NoText,
    /// The input is an SDLSHADERBC file that cannot be decoded.
    Decode(DecodeError),
    /// The input is the text of a module, and the text cannot be parsed.
    Parse {
        /// The module's text.
        text: Text,
        /// All parse errors in the text.
        errors: Vec<ParseError>,
    },
    /// The input is a module that breaks the rules of SDLSHADERBC.
    Rules {
        /// The text that the module was parsed from, or `None` for an SDLSHADERBC file.
        text: Option<Text>,
        /// The broken rules, each with the byte range of the violation in the text.
        violations: Vec<(Violation, Option<Range<usize>>)>,
    },
    /// The input is a program that has errors or cannot be read.
    Program(Box<Program>),
    /// The input is WGSL, GLSL, HLSL or SPIR-V code that is refused.
    #[cfg(feature = "sources")]
    Source {
        /// The source code, or `None` for SPIR-V.
        text: Option<Text>,
        /// The reasons for the refusal, in source order.
        refusals: Vec<naga_front::Refusal>,
    },
    /// The debug table in the options does not belong to the module.
    DebugTable(AttachError),
}

/// The position of a byte in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BytePosition {
    /// The line number, counted from 1.
    pub line: usize,
    /// The offset in bytes from the beginning of the file, counted from 0.
    pub byte: usize,
}

/// A warning about a file. The file is used nevertheless. Warnings about the file's program are in [`Program::findings`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name of the input: a path, or a placeholder such as `<stdin>`.
    pub name: String,
    /// The reason for the warning, with the data for the message.
    pub kind: WarningKind,
}

/// The kinds of warnings about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// Text that is not UTF-8 is read in another encoding. The position belongs to the first byte that is not UTF-8.
    NotUtf8(Encoding, BytePosition),
    /// Pasted text or pasted bytes are read as AGAL. This warning is a note and never becomes an error.
    Pasted(Pasting),
    /// An unknown part of an SDLSHADERBC file was skipped. This warning is a note and never becomes an error.
    Unknown(DecodeError),
    /// A module that is only displayed breaks a rule. The number is the line of the violation, or `None` if the module was not
    /// parsed from text.
    Rule(Violation, Option<usize>),
    /// A name or some source text is left out of the debug table, because SDLSHADERBC cannot store it.
    LeftOut(LeftOut),
    /// A name is unused, or is used in a changed form.
    Name(NameWarning),
    /// The options turn constants into literals, but no program states the value of any constant.
    NothingToInline,
    /// A module matches the meaning of its source only if the application's draws meet a condition.
    Assumption(Assumption),
    /// A module lacks a guarantee of its source about the rounding of results.
    Lost(Lost),
    /// The options give a value to an override that no input has.
    NoOverride(String),
}

/// The reason why inputs cannot be combined into one module, although each input is valid.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PairError {
    /// The inputs are not one vertex program and one fragment program.
    NotAPair {
        /// The number of vertex programs among the inputs.
        vertex: usize,
        /// The number of fragment programs among the inputs.
        fragment: usize,
    },
    /// The fragment program reads a varying that the vertex program does not write. This error occurs only for programs in
    /// different languages.
    NotWritten {
        /// The name of the varying in the fragment program.
        name: String,
    },
    /// The combined module breaks rules, although neither input breaks a rule by itself.
    Rules(Vec<Violation>),
    /// The combined module exceeds a limit of SDLSHADERBC.
    TooMuch {
        /// The names of all inputs, quoted and joined with "and".
        names: String,
        /// The quantity that exceeds its limit in the combined module.
        counted: Counted,
        /// The actual number, which is above the limit.
        found: usize,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            InputErrorKind::Foreign(foreign) => f.write_str(&foreign.refusal(&self.name)),
            // The messages of these kinds complete a sentence that begins with the file's name, for example with `is not text`.
            InputErrorKind::NotUtf8(_) | InputErrorKind::NotText | InputErrorKind::NotAgal | InputErrorKind::NoText => {
                write!(f, "`{}` {}", self.name, self.kind)
            }
            _ => write!(f, "{}: {}", self.name, self.kind),
        }
    }
}

impl std::error::Error for InputError {}

/// Writes the message of the first error, and the number of further errors.
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
            InputErrorKind::NoText => {
                f.write_str("cannot be disassembled, because no text assembles to the same program")
            }
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
    /// Reports whether the warning only describes how the input is read. Such a warning is a note and never becomes an
    /// error.
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
            WarningKind::Assumption(assumption) => write!(f, "`{name}`: {assumption}"),
            WarningKind::Lost(lost) => write!(f, "`{name}`: {lost}"),
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
