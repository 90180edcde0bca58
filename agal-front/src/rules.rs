//! How findings are judged: as the player does, or for what a program plainly means; and what a context profile takes.
//!
//! Rule: which checks are made does not depend on the rules, only how grave a finding is. Profiles and their versions:
//! Adobe's published class documentation (Context3DProfile); the limits of the constrained ones are their users'.

use crate::finding::{Finding, Kind, Level, Severity, gravest};
use crate::register::{File, Stage};

/// Whose judgement counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// What has one plain meaning passes with a warning, although the player refuses it.
    #[default]
    Lenient,
    /// What the player refuses is refused.
    Player,
}

/// What the caller wants to have checked, and how strictly.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whose judgement counts.
    pub compat: Compat,
    /// The profile that the program is for, if it is to be held against one.
    pub profile: Option<Profile>,
    /// Numbers of findings that are to pass: an error that can be tolerated becomes a warning, a warning nothing.
    pub allow: Vec<u16>,
    /// Whether warnings are errors.
    pub warnings_are_errors: bool,
    /// Whether `ted` is taken, although what it does is not published in full.
    pub allow_ted: bool,
    /// Whether to look for what is legal and perhaps not meant.
    pub lints: bool,
}

impl Rules {
    /// Gives each finding its severity, and drops what is allowed.
    pub fn judge(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            let (code, level, severity) = (finding.code(), finding.kind.level(), finding.severity);
            let judged = match &mut finding.kind {
                // What was counted is judged by its numbers.
                Kind::Further { dropped } => {
                    dropped.retain_mut(|more| {
                        let judged = self.severity(more.code, more.level, more.severity);
                        more.severity = judged.unwrap_or(more.severity);
                        judged.is_some()
                    });
                    (!dropped.is_empty()).then(|| gravest(dropped))
                }
                _ => self.severity(code, level, severity),
            };
            finding.severity = judged.unwrap_or(severity);
            judged.is_some()
        });
    }

    /// The severity of what has a number, a level and a severity so far; `None` if it passes.
    fn severity(&self, code: u16, level: Level, severity: Severity) -> Option<Severity> {
        let player = self.compat == Compat::Player && level == Level::Strict;
        let severity = if player { Severity::Error } else { severity };
        match (self.allow.contains(&code), level, severity) {
            (true, Level::Error, _) => Some(severity),
            (true, Level::Tolerable, _) | (true, _, Severity::Error) => Some(Severity::Warning),
            (true, _, Severity::Warning) => None,
            (false, _, Severity::Warning) if self.warnings_are_errors => Some(Severity::Error),
            (false, ..) => Some(severity),
        }
    }
}

/// A Context3D profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Profile {
    BaselineConstrained,
    Baseline,
    BaselineExtended,
    StandardConstrained,
    Standard,
    StandardExtended,
    Enhanced,
}

impl Profile {
    /// Every profile, from the least to the most.
    pub const ALL: [Profile; 7] = [
        Profile::BaselineConstrained,
        Profile::Baseline,
        Profile::BaselineExtended,
        Profile::StandardConstrained,
        Profile::Standard,
        Profile::StandardExtended,
        Profile::Enhanced,
    ];

    /// The profile's name in Adobe's documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Profile::BaselineConstrained => "baselineConstrained",
            Profile::Baseline => "baseline",
            Profile::BaselineExtended => "baselineExtended",
            Profile::StandardConstrained => "standardConstrained",
            Profile::Standard => "standard",
            Profile::StandardExtended => "standardExtended",
            Profile::Enhanced => "enhanced",
        }
    }

    /// The highest version of AGAL that it takes.
    pub const fn version(self) -> u32 {
        match self {
            Profile::BaselineConstrained | Profile::Baseline | Profile::BaselineExtended => 1,
            Profile::StandardConstrained | Profile::Standard => 2,
            Profile::StandardExtended => 3,
            Profile::Enhanced => 4,
        }
    }

    /// How many registers of a file it takes, where that is fewer than the version has.
    pub const fn count(self, file: File, stage: Stage) -> u32 {
        match (self, file, stage) {
            (Profile::StandardConstrained, File::Varying | File::Sampler, _) => 8,
            (Profile::StandardConstrained, File::Output, Stage::Fragment) => 1,
            _ => u32::MAX,
        }
    }

    /// Native instructions of a fragment program that it takes: arithmetic, textures, and dependent reads in a row.
    pub const fn native_limits(self) -> Option<[u32; 3]> {
        match self {
            Profile::BaselineConstrained => Some([64, 32, 4]),
            _ => None,
        }
    }
}
