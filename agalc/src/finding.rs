//! Findings about programs, in the same form for every language.

use std::fmt;

use agal_front::{Help, Wording};
use sdlbc::front::kept::count_of;
use sdlbc::front::{Dropped, FindingPlace, KindRow, Severity, Stage};

/// The instruction set that a program is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InstructionSet {
    /// AGAL, the instruction set of Stage3D.
    Agal,
    /// The unified-shader instruction set (docs/isa.md).
    UnifiedShader,
}

impl InstructionSet {
    /// Returns the prefix of the instruction set's finding numbers: `AGAL` or `ES`.
    pub const fn prefix(self) -> &'static str {
        match self {
            InstructionSet::Agal => "AGAL",
            InstructionSet::UnifiedShader => "ES",
        }
    }

    /// Returns the table of the instruction set's findings. The table is empty if the instruction set is not part of this build.
    pub fn findings(self) -> &'static [KindRow] {
        match self {
            InstructionSet::Agal => agal_front::Kind::ROWS,
            #[cfg(feature = "es2")]
            InstructionSet::UnifiedShader => es2_front::Kind::ROWS,
            #[cfg(not(feature = "es2"))]
            InstructionSet::UnifiedShader => &[],
        }
    }

    /// Returns the numbers of the findings that [`Rules::allow`](crate::Rules::allow) accepts.
    pub fn allowable(self) -> Vec<u16> {
        match self {
            InstructionSet::Agal => agal_front::finding::allowable().collect(),
            #[cfg(feature = "es2")]
            InstructionSet::UnifiedShader => es2_front::finding::allowable().collect(),
            #[cfg(not(feature = "es2"))]
            InstructionSet::UnifiedShader => Vec::new(),
        }
    }
}

/// An error or a warning about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The instruction set of the program.
    pub set: InstructionSet,
    /// The number of the finding. Flash Player defines the AGAL numbers below 9000, and agalc defines the AGAL numbers from 9000
    /// on.
    pub code: u16,
    /// The severity according to the rules of the check.
    pub severity: Severity,
    /// The cause of the finding, in one line.
    pub message: String,
    /// Advice on how to correct the program, or `None` if the message makes the correction obvious.
    pub help: Option<Help>,
    /// The location of the finding in the text or in the bytecode.
    pub place: FindingPlace,
    /// The location in the bytecode as text, such as `vertex program, token 2, byte 31`.
    pub location: Option<String>,
    /// The stage of the program, or `None` if the stage could not be read.
    pub stage: Option<Stage>,
    /// The text of the instruction that the finding is about.
    pub instruction: Option<String>,
    /// The finding's rank in the order of the player's checks, across all programs that were checked together.
    pub order: u32,
    /// Whether this is the first finding for which the player refuses the programs.
    pub stops_player: bool,
    /// Whether the number and the condition under which it is reported are confirmed by the player or by Adobe's checker.
    /// Unconfirmed numbers are known only from a list of messages.
    pub is_attested: bool,
    /// Whether the finding arises only from the combination of a vertex and a fragment program.
    pub is_of_pair: bool,
    /// The dropped findings that this finding counts. The list is empty for an ordinary finding.
    pub dropped: Vec<Dropped>,
}

impl Finding {
    /// Returns the finding's number with the prefix of its instruction set, such as `AGAL3647`.
    pub fn label(&self) -> String {
        format!("{}{}", self.set.prefix(), self.code)
    }

    /// Reports whether the finding is an error, which causes the program to be refused.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Reports whether this finding only counts findings that were dropped.
    pub fn is_count(&self) -> bool {
        !self.dropped.is_empty()
    }

    /// Returns the number of findings that this finding represents: the number of dropped findings, or 1 for an ordinary finding.
    pub fn stands_for(&self) -> usize {
        if self.is_count() { self.dropped.iter().map(|more| more.count).sum() } else { 1 }
    }

    /// Returns the number of errors that this finding represents.
    pub fn errors(&self) -> usize {
        if self.is_count() { count_of(&self.dropped, Severity::Error) } else { usize::from(self.is_error()) }
    }

    /// Returns the advice as text. `wording` determines the names of the settings in the text.
    pub fn advice(&self, wording: Wording) -> Option<String> {
        self.help.as_ref()?.worded(wording)
    }

    /// Returns the player's verdict: either the player stops at this finding, or the verdict is unknown because only the message
    /// is published. Returns `None` if the player does not stop at this finding.
    pub fn verdict(&self) -> Option<&'static str> {
        match self.is_attested {
            false => Some("Flash lists this number, but it is not known whether the player refuses such a program"),
            true => self.stops_player.then_some("the player stops here"),
        }
    }
}

/// Writes the line (`line 2: `) or the location in the bytecode, followed by the message.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.place.span, &self.location) {
            (Some(span), _) => write!(f, "line {}: {}", span.line, self.message),
            (None, Some(location)) => write!(f, "{location}: {}", self.message),
            (None, None) => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Finding {}
