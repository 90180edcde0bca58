//! Defines findings: errors and warnings with their locations. Each cause has a [`Kind`] to match on, and has Flash's error
//! number if Flash defines one.
//!
//! Rule: libraries report the kind and the location, and only the command line renders messages. A finding is displayed as one
//! line in lower case.

use std::fmt;

pub(crate) use sdlbc::front::kept::{count_of, highest_severity};
pub(crate) use sdlbc::front::place::number as token_number;
pub use sdlbc::front::{
    Call, Dropped, FindingPlace, InstructionSpans, KEPT, KindRow, Level, Part, Severity, SourceMap, Span,
};

use crate::assemble::advice;
use crate::help::{Help, Remedy, help};
use crate::opcode::{Opcode, Operand};
use crate::register::{File, Stage};
use crate::token::{HEADER_BYTES, TOKEN_BYTES};

/// Returns the byte offset of a part of a token, counted from the start of the token.
pub const fn offset(part: Part) -> usize {
    match part {
        Part::Operation => 0,
        Part::Destination => 4,
        Part::Source(0) => 8,
        Part::Source(_) => 16,
    }
}

pub(crate) fn source(slot: usize) -> Part {
    Part::Source(u8::from(slot & 1 != 0))
}

/// Returns the location of a part of the token at `index`, where the first token has index 0.
pub fn at_token(index: usize, part: Part) -> FindingPlace {
    FindingPlace::part(index, part, HEADER_BYTES + index * TOKEN_BYTES + offset(part))
}

/// Returns the location after the last token of a program that has `tokens` tokens.
pub fn at_end(tokens: usize) -> FindingPlace {
    FindingPlace::byte(HEADER_BYTES + tokens * TOKEN_BYTES)
}

/// An error or a warning about a program or its source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause of the finding.
    pub kind: Kind,
    /// The severity of the finding, which [`crate::rules::Rules::judge`] sets.
    pub severity: Severity,
    /// The location in the bytecode or the source text.
    pub place: FindingPlace,
    /// Whether this is the first finding for which the player refuses the programs. If the finding is not attested (see
    /// [`Kind::is_attested`]), only the player's list of errors suggests the refusal.
    pub stops_player: bool,
    /// The finding's position, in the player's order, among all findings of the programs checked together. Findings of checks
    /// that the player does not perform come last, and findings from reading a file or source text have position 0.
    pub order: u32,
}

impl Finding {
    /// Creates a finding with its default severity, which the rules may change.
    pub fn new(kind: Kind, place: FindingPlace) -> Finding {
        let severity = match &kind {
            Kind::Further { dropped } => highest_severity(dropped),
            kind => kind.level().severity(),
        };
        Finding { severity, kind, place, stops_player: false, order: 0 }
    }

    /// Returns the finding's number. Numbers below 9000 are Flash's, and this crate's own numbers begin at 9000.
    pub fn code(&self) -> u16 {
        self.kind.code()
    }

    /// Reports whether the finding makes the program invalid.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Turns a tolerable error into a warning if `allow` contains the error's number.
    pub(crate) fn tolerate(&mut self, allow: &[u16]) {
        let is_tolerated = |code: u16, level: Level| level == Level::Tolerable && allow.contains(&code);
        if is_tolerated(self.code(), self.kind.level()) {
            self.severity = Severity::Warning;
        }
        if let Kind::Further { dropped } = &mut self.kind {
            for more in dropped.iter_mut().filter(|more| is_tolerated(more.code, more.level)) {
                more.severity = Severity::Warning;
            }
            self.severity = highest_severity(dropped);
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            FindingPlace { span: None, instruction: Some(token), byte: Some(byte), .. } => {
                write!(f, "token {token}, byte {byte}: {}", self.kind)
            }
            place => write!(f, "{place}: {}", self.kind),
        }
    }
}

impl std::error::Error for Finding {}

impl Kind {
    /// Reports whether the finding's number comes from Flash.
    pub fn is_flash(&self) -> bool {
        self.code() < 9000
    }

    /// Reports whether the player or Adobe's own checker confirms the finding's number and cause. For all other numbers, Adobe
    /// published only the message.
    pub fn is_attested(&self) -> bool {
        is_attested(self.code())
    }

    /// Reports whether the finding concerns a vertex and a fragment program together, rather than either program
    /// individually.
    pub fn is_of_pair(&self) -> bool {
        matches!(
            self,
            Kind::PairStages { .. }
                | Kind::PairVersions { .. }
                | Kind::VaryingNotWritten { .. }
                | Kind::VaryingPartNotWritten { .. }
        )
    }
}

/// Lists the numbers of findings that a caller can allow: tolerable errors, strict findings and all warnings.
pub fn allowable() -> impl Iterator<Item = u16> {
    let rows = Kind::ROWS.iter().filter(|row| row.levels().any(|level| level != Level::Error));
    rows.flat_map(KindRow::codes)
}

/// Reports whether a finding number is attested; see [`Kind::is_attested`].
pub fn is_attested(code: u16) -> bool {
    !LISTED_ONLY.contains(&code)
}

/// Flash's error numbers for which Adobe published only the message. Players nevertheless draw shipped programs to which the
/// message of error 3704 applies.
const LISTED_ONLY: [u16; 29] = [
    3623, 3624, 3704, 3716, 3717, 3721, 3725, 3726, 3739, 3740, 3741, 3742, 3743, 3744, 3748, 3750, 3751, 3752, 3756,
    3757, 3758, 3760, 3775, 3786, 3788, 3789, 3803, 3804, 3805,
];

/// A property of a fragment program that is limited on constrained devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeLimit {
    /// The number of arithmetic instructions that the device executes.
    Arithmetic,
    /// The number of texture instructions that the device executes.
    Textures,
    /// The length of the longest chain of texture reads in which each coordinate depends on the previous texel.
    DependentReads,
}

impl NativeLimit {
    const fn description(self) -> &'static str {
        match self {
            NativeLimit::Arithmetic => "arithmetic instructions",
            NativeLimit::Textures => "texture instructions",
            NativeLimit::DependentReads => "dependent texture reads",
        }
    }
}

fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Formats the syntax of a statement, such as `add destination, source, source`.
fn usage(mnemonic: &str) -> String {
    let Some(row) = Opcode::from_mnemonic(mnemonic).map(|op| op.row()) else { return mnemonic.to_string() };
    let sources = row.sources.iter().filter_map(|operand| match operand {
        Operand::None => None,
        Operand::Sampler => Some("sampler <2d,linear,miplinear,repeat>"),
        Operand::Coordinate => Some("coordinate"),
        Operand::Matrix => Some("matrix"),
        Operand::Vector | Operand::Scalar => Some("source"),
    });
    let operands: Vec<&str> = row.destination.then_some("destination").into_iter().chain(sources).collect();
    format!("{mnemonic} {}", operands.join(", ")).trim_end().to_string()
}

/// Formats the message for an unknown value of a sampler field. If `later` is true, the message names the program's version,
/// because a later version may define the value.
fn unknown_value(field: &str, found: u8, later: bool, version: u32) -> String {
    match later {
        true => format!("sampler {field} {found} is not known in version {version}"),
        false => format!("sampler {field} {found} is not known"),
    }
}

include!("kinds.rs");
