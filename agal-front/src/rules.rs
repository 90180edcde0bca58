//! The rules that set the severity of findings, and the limits of Context3D profiles.
//!
//! Rule: the rules judge findings but perform no checks of their own. The profiles and their versions come from Adobe's
//! published class documentation (Context3DProfile). The limits of the constrained profiles come from developers who use these
//! profiles.

use crate::finding::{Finding, Kind, Level, Severity, highest_severity};
use crate::register::{File, Stage};

/// The severity of findings about programs that Flash Player refuses although their meaning is clear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compat {
    /// A program that the player refuses gets a warning if its meaning is clear.
    #[default]
    Lenient,
    /// A program that the player refuses gets an error.
    Player,
}

sdlbc::words!(Compat {
    Lenient "lenient" "Accept every program that has one clear meaning, with a warning",
    Player "player" "Refuse the programs that Flash Player refuses",
});

sdlbc::options! {
    /// The caller's settings for checks and for the severity of findings.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Rules {
        /// The severity of findings about programs that Flash Player refuses although their meaning is clear.
        pub compat: Compat,
        /// The Context3D profile that the program must fit, or `None` if no profile applies.
        pub profile: Option<Profile>,
        /// The numbers of the findings to allow. An allowed warning is dropped, and an allowed error becomes a warning if the error
        /// is tolerable.
        pub allow: Vec<u16>,
        /// Whether warnings count as errors.
        pub warnings_are_errors: bool,
        /// Whether to accept the opcode `ted`, although Adobe has not published its behaviour in full.
        pub allow_ted: bool,
        /// Whether to report legal code that is probably a mistake.
        pub lints: bool,
    }
}

impl Rules {
    /// Sets the severity of each finding, and drops allowed warnings.
    pub fn judge(&self, findings: &mut Vec<Finding>) {
        findings.retain_mut(|finding| {
            let (code, level, severity) = (finding.code(), finding.kind.level(), finding.severity);
            let judged = match &mut finding.kind {
                // Findings that were counted but not kept are judged by number, level and severity.
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

    /// Returns the new severity of a finding, or `None` if the finding is dropped.
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

/// Returns the first SWF version whose player accepts a version of AGAL. Returns `None` for AGAL 1, which every player with AGAL
/// accepts, and for versions that are not published. According to Adobe's "AGAL bytecode format", section "Program registers",
/// AGAL 1 belongs to SWF versions below 25, AGAL 2 to SWF version 25, and AGAL 3 to SWF versions 28 and above.
pub const fn first_swf_version(agal: u32) -> Option<u32> {
    match agal {
        2 => Some(25),
        3 => Some(28),
        _ => None,
    }
}

/// A Context3D profile, which determines the highest AGAL version and some register limits.
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
    /// Every profile, from the least to the most capable.
    pub const ALL: [Profile; 7] = [
        Profile::BaselineConstrained,
        Profile::Baseline,
        Profile::BaselineExtended,
        Profile::StandardConstrained,
        Profile::Standard,
        Profile::StandardExtended,
        Profile::Enhanced,
    ];

    /// Returns the profile's name in Adobe's documentation, such as `baselineConstrained`.
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

    /// Returns the highest AGAL version that the profile supports.
    pub const fn version(self) -> u32 {
        match self {
            Profile::BaselineConstrained | Profile::Baseline | Profile::BaselineExtended => 1,
            Profile::StandardConstrained | Profile::Standard => 2,
            Profile::StandardExtended => 3,
            Profile::Enhanced => 4,
        }
    }

    /// Returns the profile's limit on the registers of a file, or `u32::MAX` if only the version limits the file.
    pub const fn count(self, file: File, stage: Stage) -> u32 {
        match (self, file, stage) {
            (Profile::StandardConstrained, File::Varying | File::Sampler, _) => 8,
            (Profile::StandardConstrained, File::Output, Stage::Fragment) => 1,
            _ => u32::MAX,
        }
    }

    /// Returns the profile's limits on the native instructions of a fragment program, or `None` if there are no limits. The three
    /// limits are the number of arithmetic instructions, the number of texture reads, and the length of a chain of dependent
    /// reads.
    pub const fn native_limits(self) -> Option<[u32; 3]> {
        match self {
            Profile::BaselineConstrained => Some([64, 32, 4]),
            _ => None,
        }
    }
}
