//! Predicts the error that Flash Player throws for a pair of programs: the error's number, class and message arguments.
//!
//! Rule: this file contains all facts about Flash's error numbers that are not in the table of findings. The templates of the
//! player's messages are not repeated here. An embedder that has the templates can insert the arguments with
//! [`PlayerError::sentence`].
//!
//! With a few exceptions, the arguments follow the published list, in which `%1` is the stage, `%2` the operand, operation or
//! number that the message is about, `%3` the number of the token, counted from 1, and `%4` the value of a sampler field. Only
//! the arguments that name operands ("source operand 1", "destination operand") and the arguments of errors 3615, 3620 and 3696
//! were recorded from the player. How the player writes the names of operations and varyings has not been recorded.

use std::fmt;

use crate::check::check;
use crate::finding::{Finding, Kind, Part};
use crate::opcode::Opcode;
use crate::program::{Program, Upload};
use crate::register::{Stage, VERSIONS};
use crate::rules::{Compat, Profile, Rules};

/// The ActionScript class of an error that the player throws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The class `Error`.
    Error,
    /// The class `ArgumentError`.
    ArgumentError,
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// An error that the player throws, with the data that an embedder needs to throw the same error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerError {
    /// The error number, as Flash documents it.
    pub code: u16,
    /// The ActionScript class of the error.
    pub class: ErrorClass,
    /// The arguments of the player's message, beginning with `%1`. Arguments that the message does not use may be present.
    pub arguments: Vec<String>,
    /// A description of the error in this crate's words.
    pub message: String,
    /// Whether the player or Adobe's checker confirms the refusal. If the value is false, only the player's list of messages
    /// suggests the refusal.
    pub attested: bool,
}

impl PlayerError {
    /// Inserts the arguments into the player's own template, such as `Too many tokens (%2) for %1 program.`, and prefixes the
    /// error number.
    pub fn sentence(&self, template: &str) -> String {
        let mut sentence = format!("Error #{}: ", self.code);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('%') {
            sentence.push_str(before);
            let mut digits = after.chars();
            let place = digits.next().and_then(|digit| digit.to_digit(10)).and_then(|digit| digit.checked_sub(1));
            match place.and_then(|place| self.arguments.get(usize::try_from(place).ok()?)) {
                Some(argument) => {
                    sentence.push_str(argument);
                    rest = digits.as_str();
                }
                None => {
                    sentence.push('%');
                    rest = after;
                }
            }
        }
        sentence + rest
    }
}

/// A program as the application uploads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uploaded<'a> {
    /// The bytes of the program.
    pub bytes: &'a [u8],
    /// Whether the `ByteArray` is big endian, as it is by default. The player accepts only little endian.
    pub big_endian: bool,
}

impl<'a> From<&'a [u8]> for Uploaded<'a> {
    fn from(bytes: &'a [u8]) -> Uploaded<'a> {
        Uploaded { bytes, big_endian: false }
    }
}

/// Returns the first error that the player raises for `Program3D.upload(vertex, fragment)`, or `None` if the player
/// accepts the pair. If a profile is given, the profile's limits are also checked.
///
/// The player checks the vertex program and then the fragment program before it links them.
///
/// ```
/// use agal_front::player::{ErrorClass, player_error};
///
/// let program = |text: &str| {
///     let assembly = agal_front::assemble::assemble(text, &Default::default()).expect("a program");
///     assembly.program.encode()
/// };
/// let vertex = program("mov op, va0");
/// let fragment = program("mov ft0, oc\nmov oc, ft0");
/// let error = player_error(vertex[..].into(), fragment[..].into(), None).expect("an output is read");
/// assert_eq!((error.code, error.class), (3646, ErrorClass::Error));
/// assert_eq!(error.arguments, ["fragment", "source operand 1", "1"]);
/// assert_eq!(error.message, "`oc` cannot be read here: it is an output, which can only be written");
/// // The template is the embedder's, from the player's own list.
/// let sentence = error.sentence("AGAL validation failed: Can not read from output register for %2 at token %3 of %1 program.");
/// assert_eq!(
///     sentence,
///     "Error #3646: AGAL validation failed: Can not read from output register for source operand 1 at token 1 of fragment program."
/// );
///
/// let empty = player_error((&[][..]).into(), fragment[..].into(), None).expect("there is no program");
/// assert_eq!((empty.code, empty.class), (3615, ErrorClass::ArgumentError));
/// assert_eq!(empty.arguments, [""]);
/// ```
pub fn player_error(vertex: Uploaded, fragment: Uploaded, profile: Option<Profile>) -> Option<PlayerError> {
    let mut programs = Vec::new();
    let mut slots =
        [(Stage::Vertex, vertex), (Stage::Fragment, fragment)].map(|(stage, Uploaded { bytes, big_endian })| {
            match Program::decode_uploaded(bytes, Upload { big_endian, ..Upload::default() }) {
                Ok((program, findings)) => {
                    programs.push(program);
                    (stage, true, findings)
                }
                Err(findings) => (stage, false, findings),
            }
        });
    let rules = Rules::default().compat(Compat::Player).profile(profile).allow_ted(true);
    let of: Vec<&Program> = programs.iter().collect();
    // Swapped programs are checked individually, because the player checks each program before it refuses the pair.
    let is_swapped = matches!(of[..], [first, second] if first.stage > second.stage);
    let checked = match is_swapped {
        true => of.iter().flat_map(|program| check(&[program], &rules)).collect(),
        false => check(&of, &rules),
    };
    let mut checked = checked.into_iter();
    for (_, is_read, findings) in &mut slots {
        if *is_read {
            findings.extend(checked.next().into_iter().flatten());
        }
    }
    let [(_, _, of_vertex), (_, _, of_fragment)] = &mut slots;
    fn marks(findings: &mut [Finding]) -> Vec<(u16, &mut bool)> {
        findings.iter_mut().map(|of| (of.code(), &mut of.stops_player)).collect()
    }
    keep_first_stop(vec![(Some(Stage::Vertex), marks(of_vertex)), (Some(Stage::Fragment), marks(of_fragment))]);
    let first = slots.iter().find_map(|(stage, _, findings)| {
        findings.iter().find(|finding| finding.stops_player).map(|finding| (*stage, finding))
    });
    if is_swapped && first.is_none_or(|(_, finding)| is_of_linking(finding.code())) {
        let kind = Kind::PairStages { stage: Stage::Vertex };
        let (code, attested) = (kind.code(), kind.is_attested());
        let message = "the vertex program and the fragment program are swapped".to_string();
        return Some(PlayerError { code, class: ErrorClass::Error, arguments: Vec::new(), message, attested });
    }
    first.and_then(|(stage, finding)| finding.player_error(stage))
}

/// The stage of an uploaded program, if known, and the program's findings. Each finding is a number and a mark, which is set
/// if the player stops at the finding.
pub type Marks<'a> = (Option<Stage>, Vec<(u16, &'a mut bool)>);

/// Clears the marks of one upload's findings, except the mark of the finding at which the player stops first.
///
/// The player checks the vertex program and then the fragment program before it links them. A program that cannot be read is
/// assumed to have the stage that the other program does not have.
pub fn keep_first_stop(programs: Vec<Marks<'_>>) {
    let is_swapped = match programs[..] {
        [(first, _), (second, _)] => first.map_or(second == Some(Stage::Vertex), |stage| stage == Stage::Fragment),
        _ => false,
    };
    let mut stops: Vec<(bool, bool, &mut bool)> = Vec::new();
    for (index, (_, findings)) in programs.into_iter().enumerate() {
        let later = (index == 0) == is_swapped;
        let marked = findings.into_iter().filter(|(_, stops)| **stops);
        stops.extend(marked.map(|(code, stops)| (is_of_linking(code), later, stops)));
    }
    stops.sort_by_key(|(is_of_linking, later, _)| (*is_of_linking, *later));
    stops.into_iter().skip(1).for_each(|(.., stops)| *stops = false);
}

/// Reports whether the player raises the error when it links the programs, after checking both of them.
fn is_of_linking(code: u16) -> bool {
    matches!(code, 3630..=3635 | 3757)
}

impl Finding {
    /// Returns the error that the player throws for the finding in a program uploaded as `stage`. Returns `None` if the finding's
    /// number does not come from Flash.
    pub fn player_error(&self, stage: Stage) -> Option<PlayerError> {
        self.kind.is_flash().then(|| PlayerError {
            code: self.code(),
            class: self.class(),
            arguments: self.arguments(stage),
            message: self.kind.to_string(),
            attested: self.kind.is_attested(),
        })
    }

    /// Returns the class of the error that the player throws, which is `ArgumentError` for a wrong byte order and for an empty
    /// program.
    pub fn class(&self) -> ErrorClass {
        match self.kind {
            Kind::BigEndian { .. } | Kind::Truncated { bytes: 0 } => ErrorClass::ArgumentError,
            _ => ErrorClass::Error,
        }
    }

    /// Returns the arguments of the player's message for the finding in a program uploaded as `stage`.
    pub fn arguments(&self, stage: Stage) -> Vec<String> {
        let stage = stage.to_string();
        let token = self.place.instruction.unwrap_or(0).to_string();
        match &self.kind {
            Kind::Truncated { bytes: 0 } => return vec![String::new()],
            Kind::Version { .. } => return vec![stage, VERSIONS.end().to_string()],
            Kind::ProfileVersion { version, .. } => return vec![stage, version.to_string()],
            Kind::TooManyTokens { tokens, .. } => return vec![stage, tokens.to_string()],
            Kind::NativeLimit { estimate, limit, .. } => return vec![stage, limit.to_string(), estimate.to_string()],
            Kind::OnlyConstants { .. } => return vec![stage, token],
            Kind::VaryingNotWritten { register }
            | Kind::VaryingPartNotWritten { register, .. }
            | Kind::IncompleteVarying { register, .. } => {
                return vec![register.trim_start_matches(|c: char| !c.is_ascii_digit()).to_string()];
            }
            _ => {}
        }
        match self.code() {
            3612 | 3630 | 3631 | 3634 | 3635 | 3701 | 3750..=3752 | 3757 | 3760 | 3775 | 3788 | 3789 | 3804 | 3805 => {
                Vec::new()
            }
            3615..=3619 | 3739 | 3748 => vec![stage],
            _ => [stage, self.subject(), token].into_iter().chain(self.value()).collect(),
        }
    }

    /// Returns the subject of the player's message: the name of an operation, its number, or an operand.
    fn subject(&self) -> String {
        match &self.kind {
            Kind::OpcodeRange { found } | Kind::OpcodeReserved { found } => found.to_string(),
            Kind::OpcodeVersion { mnemonic, .. } if self.code() == 3621 => {
                Opcode::from_mnemonic(mnemonic).map_or(String::new(), |op| op.row().code.to_string())
            }
            Kind::OpcodeVersion { mnemonic, .. }
            | Kind::OpcodeStage { mnemonic, .. }
            | Kind::BothIndirect { mnemonic }
            | Kind::UnusedDestination { mnemonic }
            | Kind::WritesW { mnemonic }
            | Kind::MatrixSwizzle { mnemonic } => (*mnemonic).to_string(),
            _ => match self.place.part {
                Part::Operation => String::new(),
                Part::Destination => "destination operand".to_string(),
                Part::Source(slot) => format!("source operand {}", u32::from(slot) + 1),
            },
        }
    }

    fn value(&self) -> Option<String> {
        match self.kind {
            Kind::Dimension { found, .. }
            | Kind::Filter { found, .. }
            | Kind::MipMode { found }
            | Kind::WrapMode { found, .. }
            | Kind::SpecialFlag { found } => Some(found.to_string()),
            _ => None,
        }
    }
}
