//! Findings about programs, in one form for every language.

use std::fmt;

use agal_front::{Help, Wording};
use sdlbc::front::kept::count_of;
use sdlbc::front::{Dropped, FindingPlace, KindRow, Severity, Stage};

/// An instruction set that programs are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InstructionSet {
    /// AGAL.
    Agal,
    /// The unified-shader instruction set (docs/isa.md).
    UnifiedShader,
}

impl InstructionSet {
    /// Returns the letters before the numbers of its findings: `AGAL` or `ES`.
    pub const fn prefix(self) -> &'static str {
        match self {
            InstructionSet::Agal => "AGAL",
            InstructionSet::UnifiedShader => "ES",
        }
    }

    /// Returns the table of its findings, which is empty for a set that is left out of this build.
    pub fn findings(self) -> &'static [KindRow] {
        match self {
            InstructionSet::Agal => agal_front::Kind::ROWS,
            #[cfg(feature = "es2")]
            InstructionSet::UnifiedShader => es2_front::Kind::ROWS,
            #[cfg(not(feature = "es2"))]
            InstructionSet::UnifiedShader => &[],
        }
    }

    /// Returns the numbers of the findings that [`Rules::allow`](crate::Rules::allow) may name.
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
    /// The number. For AGAL, numbers below 9000 are Flash's, and those from 9000 on are agalc's.
    pub code: u16,
    /// The severity according to the rules of the check.
    pub severity: Severity,
    /// The cause, in one line.
    pub message: String,
    /// Advice, if the message does not make it obvious.
    pub help: Option<Help>,
    /// The place in the text or in the bytecode.
    pub place: FindingPlace,
    /// The place in bytecode in words, such as `vertex program, token 2, byte 31`.
    pub location: Option<String>,
    /// The stage of the program, if it could be read.
    pub stage: Option<Stage>,
    /// The instruction that the finding is about, as text.
    pub instruction: Option<String>,
    /// The position in the player's order of all findings of the programs that were checked together.
    pub order: u32,
    /// Whether this is the finding at which the player refuses the programs.
    pub stops_player: bool,
    /// Whether the player or Adobe's checker confirms the number and its condition. Other numbers are known only from a
    /// list of messages.
    pub is_attested: bool,
    /// Whether the finding is about a vertex and a fragment program together, and arises in neither of them alone.
    pub is_of_pair: bool,
    /// The dropped findings that this finding counts; empty for any other finding.
    pub dropped: Vec<Dropped>,
}

impl Finding {
    /// Returns the number with the prefix of its instruction set: `AGAL3647`.
    pub fn label(&self) -> String {
        format!("{}{}", self.set.prefix(), self.code)
    }

    /// Whether the program is refused because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Whether it only counts findings that were dropped.
    pub fn is_count(&self) -> bool {
        !self.dropped.is_empty()
    }

    /// Returns the number of findings that it represents: one, or the number that it counts.
    pub fn stands_for(&self) -> usize {
        if self.is_count() { self.dropped.iter().map(|more| more.count).sum() } else { 1 }
    }

    /// Returns the number of errors that it represents.
    pub fn errors(&self) -> usize {
        if self.is_count() { count_of(&self.dropped, Severity::Error) } else { usize::from(self.is_error()) }
    }

    /// Returns the advice as text, with the settings in the words of the program that shows it.
    pub fn advice(&self, wording: Wording) -> Option<String> {
        self.help.as_ref()?.worded(wording)
    }

    /// Returns the player's verdict: that it stops at this finding, or, for a number of which only the message is
    /// published, that its verdict is not known.
    pub fn verdict(&self) -> Option<&'static str> {
        match self.is_attested {
            false => Some("Flash lists this number; whether the player refuses it here is not known"),
            true => self.stops_player.then_some("the player stops here"),
        }
    }
}

/// Writes `line 2: ` or the place in bytecode, and then the message.
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
