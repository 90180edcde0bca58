//! Findings: errors and warnings with their places. Each cause has a kind to match on, with Flash's number if Flash has one.
//!
//! Rule: libraries report the kind and the place; only the command line renders text. Display is one lower-case line.

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

/// Offset of a part from the start of its token, in bytes.
pub const fn offset(part: Part) -> usize {
    match part {
        Part::Operation => 0,
        Part::Destination => 4,
        Part::Source(0) => 8,
        Part::Source(_) => 16,
    }
}

/// A source word of a token as a part of it: the first (0) or the second (1).
pub(crate) fn source(slot: usize) -> Part {
    Part::Source(u8::from(slot & 1 != 0))
}

/// A part of the token at `index`, counted from 0.
pub fn at_token(index: usize, part: Part) -> FindingPlace {
    FindingPlace::part(index, part, HEADER_BYTES + index * TOKEN_BYTES + offset(part))
}

/// The end of a program, after its `tokens` tokens.
pub fn at_end(tokens: usize) -> FindingPlace {
    FindingPlace::byte(HEADER_BYTES + tokens * TOKEN_BYTES)
}

/// A finding: its kind, its severity, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause.
    pub kind: Kind,
    /// Its severity; see [`crate::rules::Rules::judge`].
    pub severity: Severity,
    /// The place in the program or the text.
    pub place: FindingPlace,
    /// Whether this is the first finding at which the player refuses the program, or would refuse it by its list of errors: see
    /// [`Kind::is_attested`].
    pub stops_player: bool,
    /// Position among all findings of the programs that were checked together, in the player's order. Findings of checks that the
    /// player does not make come last; findings from reading a file or a text have 0.
    pub order: u32,
}

impl Finding {
    /// A finding with its default severity, which the rules may change.
    pub fn new(kind: Kind, place: FindingPlace) -> Finding {
        let severity = match &kind {
            Kind::Further { dropped } => highest_severity(dropped),
            kind => kind.level().severity(),
        };
        Finding { severity, kind, place, stops_player: false, order: 0 }
    }

    /// The number: Flash's below 9000, ours from 9000 on.
    pub fn code(&self) -> u16 {
        self.kind.code()
    }

    /// Whether the finding makes the program invalid.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Turns a tolerable error, which leaves the program a meaning, into a warning if its number is allowed.
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
    /// Whether the number is Flash's.
    pub fn is_flash(&self) -> bool {
        self.code() < 9000
    }

    /// Whether the number and its condition are known from the player or from Adobe's own checker, rather than only from the player's
    /// list of messages.
    pub fn is_attested(&self) -> bool {
        is_attested(self.code())
    }

    /// Whether the finding concerns a vertex and a fragment program together, and neither program alone.
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

/// The numbers of findings that a caller can allow: tolerable errors, strict findings and all warnings.
pub fn allowable() -> impl Iterator<Item = u16> {
    let rows = Kind::ROWS.iter().filter(|row| row.levels().any(|level| level != Level::Error));
    rows.flat_map(KindRow::codes)
}

/// [`Kind::is_attested`] by number.
pub fn is_attested(code: u16) -> bool {
    !LISTED_ONLY.contains(&code)
}

/// Flash's numbers of which only the message is published. Programs that number 3704 would refuse have been shipped, and players draw
/// them.
const LISTED_ONLY: [u16; 29] = [
    3623, 3624, 3704, 3716, 3717, 3721, 3725, 3726, 3739, 3740, 3741, 3742, 3743, 3744, 3748, 3750, 3751, 3752, 3756,
    3757, 3758, 3760, 3775, 3786, 3788, 3789, 3803, 3804, 3805,
];

/// A resource that a device limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NativeLimit {
    /// Instructions that compute.
    Arithmetic,
    /// Instructions that sample textures.
    Textures,
    /// Textures sampled in a chain, where each coordinate depends on the previous texel.
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

/// A count with its noun, which is in the plural unless the count is 1.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Form of a statement with an operation.
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

/// The message for an unknown value of a sampler field. With `later`, a later version may define the value.
fn unknown_value(field: &str, found: u8, later: bool, version: u32) -> String {
    match later {
        true => format!("sampler {field} {found} is not known in version {version}"),
        false => format!("sampler {field} {found} is not known"),
    }
}

include!("kinds.rs");
