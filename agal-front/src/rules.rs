//! The severity of findings, judged as the player does or by whether the program has one plain meaning, and the limits of profiles.
//!
//! Rule: the rules never change the checks that are made, only the severity of findings. Profiles and their versions come from
//! Adobe's published class documentation (Context3DProfile); the limits of the constrained profiles come from their users.

use crate::finding::{Finding, Kind, Level, Severity, highest_severity};
use crate::register::{File, Stage};

/// The judgement of programs that the player refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// A program with one plain meaning is accepted with a warning, although the player refuses it.
    #[default]
    Lenient,
    /// A program that the player refuses is refused.
    Player,
}

sdlbc::words!(Compat {
    Lenient "lenient" "Accept programs with one clear meaning, with a warning",
    Player "player" "Refuse what Flash Player refuses",
});

sdlbc::options! {
    /// The checks that the caller selects, and their strictness.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Rules {
        /// The judgement of programs that the player refuses.
        pub compat: Compat,
        /// The profile that the program must fit, if any.
        pub profile: Option<Profile>,
        /// Numbers of findings to allow: a tolerable error becomes a warning, a warning is dropped.
        pub allow: Vec<u16>,
        /// Whether warnings are errors.
        pub warnings_are_errors: bool,
        /// Whether `ted` is accepted, although its behaviour is not published in full.
        pub allow_ted: bool,
        /// Whether to report legal code that is perhaps not as intended.
        pub lints: bool,
    }
}

impl Rules {
    /// Sets the severity of each finding, and drops those that are allowed.
    pub fn judge(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            let (code, level, severity) = (finding.code(), finding.kind.level(), finding.severity);
            let judged = match &mut finding.kind {
                // Findings that were only counted are judged by their numbers.
                Kind::Further { dropped } => {
                    dropped.retain_mut(|more| {
                        let judged = self.severity(more.code, more.level, more.severity);
                        more.severity = judged.unwrap_or(more.severity);
                        judged.is_some()
                    });
                    (!dropped.is_empty()).then(|| highest_severity(dropped))
                }
                _ => self.severity(code, level, severity),
            };
            finding.severity = judged.unwrap_or(severity);
            judged.is_some()
        });
    }

    /// Severity of a finding with this number and level, given its severity so far; `None` if it is dropped.
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

/// The first version of the SWF format whose player accepts a version of AGAL. `None` for AGAL 1, which every player with AGAL accepts,
/// and for versions that are not published (Adobe, "AGAL bytecode format", "Program registers": below 25, 25, 28 and above).
pub const fn first_swf_version(agal: u32) -> Option<u32> {
    match agal {
        2 => Some(25),
        3 => Some(28),
        _ => None,
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
    /// Every profile, from the smallest to the largest.
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

    /// The highest version of AGAL that the profile supports.
    pub const fn version(self) -> u32 {
        match self {
            Profile::BaselineConstrained | Profile::Baseline | Profile::BaselineExtended => 1,
            Profile::StandardConstrained | Profile::Standard => 2,
            Profile::StandardExtended => 3,
            Profile::Enhanced => 4,
        }
    }

    /// Number of registers of a file that the profile allows, if it is lower than the version's.
    pub const fn count(self, file: File, stage: Stage) -> u32 {
        match (self, file, stage) {
            (Profile::StandardConstrained, File::Varying | File::Sampler, _) => 8,
            (Profile::StandardConstrained, File::Output, Stage::Fragment) => 1,
            _ => u32::MAX,
        }
    }

    /// Numbers of native instructions of a fragment program that the profile allows: arithmetic, textures, and dependent reads in a
    /// chain.
    pub const fn native_limits(self) -> Option<[u32; 3]> {
        match self {
            Profile::BaselineConstrained => Some([64, 32, 4]),
            _ => None,
        }
    }
}
