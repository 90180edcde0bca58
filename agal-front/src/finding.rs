//! What is wrong with a program, and where: one matchable kind for each cause, with Flash's number where Flash has one.
//!
//! Rule: libraries report what and where; only the command line renders. Display is one lower-case line.

use std::fmt;

use crate::assemble::advice;
use crate::opcode::{Opcode, Operand, of_slot};
use crate::register::{File, Stage};
use crate::token::{HEADER_BYTES, TOKEN_BYTES};

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program is still used.
    Warning,
    /// The program is refused.
    Error,
}

/// The part of a token that a finding is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// The operation, or the token as a whole.
    #[default]
    Operation,
    /// The destination word.
    Destination,
    /// The first (0) or second (1) source word.
    Source(u8),
}

impl Part {
    /// The source word of a slot (0 or 1).
    pub(crate) fn source(slot: usize) -> Part {
        if slot & 1 == 0 { Part::Source(0) } else { Part::Source(1) }
    }

    /// Bytes from the token's start.
    pub const fn offset(self) -> usize {
        match self {
            Part::Operation => 0,
            Part::Destination => 4,
            Part::Source(0) => 8,
            Part::Source(_) => 16,
        }
    }
}

/// The number of the token at `index`: indexes start at 0, token numbers at 1.
pub(crate) fn token_number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX).saturating_add(1)
}

/// A stretch of source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte, counted from 1.
    pub line: u32,
    /// Column of the first byte in characters, counted from 1.
    pub column: u32,
    /// The macro call whose expansion contains the text. `None` for text that is not part of an expansion.
    pub call: Option<Call>,
}

/// A macro call in the program itself: the outermost of nested calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of the first byte, counted from 1.
    pub line: u32,
    /// Column of the first byte in characters, counted from 1.
    pub column: u32,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        match self.call {
            Some(call) => write!(f, " (in the call at line {}, column {})", call.line, call.column),
            None => Ok(()),
        }
    }
}

/// Where a finding is: at a byte of the file, a part of a token, a stretch of text, or a token and its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FindingPlace {
    /// The token, counted from 1 as Flash does.
    pub token: Option<u32>,
    /// The part of the token.
    pub part: Part,
    /// The byte of the bytecode file.
    pub byte: Option<usize>,
    /// The stretch of the source text.
    pub span: Option<Span>,
}

impl FindingPlace {
    /// A byte of the bytecode file.
    pub const fn byte(offset: usize) -> FindingPlace {
        FindingPlace { token: None, part: Part::Operation, byte: Some(offset), span: None }
    }

    /// A part of the token at `index`, counted from 0.
    pub fn token(index: usize, part: Part) -> FindingPlace {
        let byte = HEADER_BYTES + index * TOKEN_BYTES + part.offset();
        FindingPlace { token: Some(token_number(index)), part, byte: Some(byte), span: None }
    }

    /// A stretch of text.
    pub const fn text(span: Span) -> FindingPlace {
        FindingPlace { token: None, part: Part::Operation, byte: None, span: Some(span) }
    }

    /// The end of the program, after its `tokens` tokens.
    pub const fn end(tokens: usize) -> FindingPlace {
        FindingPlace { token: None, part: Part::Operation, byte: Some(HEADER_BYTES + tokens * TOKEN_BYTES), span: None }
    }
}

impl fmt::Display for FindingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            FindingPlace { span: Some(span), .. } => write!(f, "{span}"),
            FindingPlace { token: Some(token), byte: Some(byte), .. } => write!(f, "token {token}, byte {byte}"),
            FindingPlace { byte: Some(byte), .. } => write!(f, "byte {byte}"),
            _ => f.write_str("the program"),
        }
    }
}

/// Where the parts of each token are in the text that they were assembled from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// One entry for each token.
    pub tokens: Vec<TokenSpans>,
}

/// The stretches of text of one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenSpans {
    /// The mnemonic.
    pub operation: Span,
    /// The destination operand.
    pub destination: Option<Span>,
    /// The source operands.
    pub sources: [Option<Span>; 2],
}

impl SourceMap {
    /// The same place, with the text that it was assembled from.
    pub fn locate(&self, place: FindingPlace) -> FindingPlace {
        let spans = match place.token {
            Some(token) => (token as usize).checked_sub(1).and_then(|index| self.tokens.get(index)),
            None => return place,
        };
        let span = spans.map(|spans| {
            let part = match place.part {
                Part::Operation => None,
                Part::Destination => spans.destination,
                Part::Source(slot) => of_slot(spans.sources, usize::from(slot)),
            };
            part.unwrap_or(spans.operation)
        });
        FindingPlace { span: span.or(place.span), ..place }
    }
}

/// A finding: what is wrong, how severe it is, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause.
    pub kind: Kind,
    /// Its severity; see [`crate::rules::Rules::judge`].
    pub severity: Severity,
    /// Where it is.
    pub place: FindingPlace,
    /// Whether this is the first finding for which the player refuses the program, or would by its list of errors: see
    /// [`Kind::is_attested`] and [`Finding::verdict`].
    pub stops_player: bool,
    /// Its position among all findings of the programs that were checked together, in the player's order. Findings of checks
    /// that the player does not make come last; those of reading a file or a text have 0.
    pub order: u32,
}

impl Finding {
    /// A finding of the severity that it has unless the rules change it.
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

    /// Whether the program is refused because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Turns an error that leaves the program a meaning into a warning, if its number is allowed.
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

    /// How many findings it represents: one, or those that were counted but not kept.
    pub fn stands_for(&self) -> usize {
        match &self.kind {
            Kind::Further { dropped } => dropped.iter().map(|more| more.count).sum(),
            _ => 1,
        }
    }

    /// How many errors it represents.
    pub fn errors(&self) -> usize {
        match &self.kind {
            Kind::Further { dropped } => count_of(dropped, Severity::Error),
            _ => usize::from(self.is_error()),
        }
    }

    /// What is known of the player's verdict on it, shown under the message: that the player stops here, or, for a number of
    /// which only the message is published, that nothing shows that it does.
    pub fn verdict(&self) -> Option<&'static str> {
        match self.kind.is_attested() {
            false => Some("Flash lists this number; whether the player refuses it here is not known"),
            true => self.stops_player.then_some("the player stops here"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for Finding {}

/// How severe a cause is before the rules are applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// An error for the player and for us.
    Error,
    /// The same, but the program has a meaning if the caller allows it.
    Tolerable,
    /// The player refuses it; it has one plain meaning.
    Strict,
    /// Never makes a program invalid.
    Warning,
}

impl Level {
    /// The severity of a finding unless the rules change it.
    pub const fn severity(self) -> Severity {
        match self {
            Level::Error | Level::Tolerable => Severity::Error,
            Level::Strict | Level::Warning => Severity::Warning,
        }
    }
}

/// How many errors, and how many warnings, are kept of one program.
pub const KEPT: usize = 1000;

/// Findings of one number and level that were counted but not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The number.
    pub code: u16,
    /// How severe they are before the rules are applied.
    pub level: Level,
    /// Their severity.
    pub severity: Severity,
    /// How many there are.
    pub count: usize,
}

/// The highest severity among findings that were dropped.
pub(crate) fn highest_severity(dropped: &[Dropped]) -> Severity {
    dropped.iter().map(|more| more.severity).max().unwrap_or(Severity::Warning)
}

fn count_of(dropped: &[Dropped], severity: Severity) -> usize {
    dropped.iter().filter(|more| more.severity == severity).map(|more| more.count).sum()
}

/// A row of the table of findings, as text.
#[derive(Clone, Copy, Debug)]
pub struct KindRow {
    /// The name of the [`Kind`].
    pub name: &'static str,
    /// What is found, in a sentence.
    pub description: &'static str,
    codes: &'static str,
    levels: &'static str,
}

impl KindRow {
    /// The numbers that a finding of the row may have.
    pub fn codes(&self) -> impl Iterator<Item = u16> {
        self.codes
            .split(|c: char| !c.is_ascii_digit())
            .filter(|digits| digits.len() == 4)
            .filter_map(|digits| digits.parse().ok())
    }

    /// The levels that a finding of the row may have.
    pub fn levels(&self) -> impl Iterator<Item = Level> {
        let all = [
            ("Error", Level::Error),
            ("Tolerable", Level::Tolerable),
            ("Strict", Level::Strict),
            ("Warning", Level::Warning),
        ];
        let levels = self.levels;
        all.into_iter().filter(move |(name, _)| levels.contains(name)).map(|(_, level)| level)
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident $({ $($field:ident: $ty:ty),* $(,)? })? , $code:expr, $level:expr, $message:expr, $help:expr;)*) => {
        /// The cause of a finding.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[doc = $doc])* $name $({ $(#[allow(missing_docs)] $field: $ty),* })?),*
        }

        impl Kind {
            /// Every row of the table.
            pub const ROWS: &[KindRow] = &[$(KindRow {
                name: stringify!($name),
                description: concat!($($doc),*),
                codes: stringify!($code),
                levels: stringify!($level),
            }),*];

            /// The number: Flash's below 9000, ours from 9000 on.
            pub fn code(&self) -> u16 {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $code),* }
            }

            /// How severe it is before the rules are applied.
            pub const fn level(&self) -> Level {
                use Level::{Error, Strict, Tolerable, Warning};
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $level),* }
            }

            /// What to do about it, unless the message makes that obvious.
            pub fn help(&self) -> Option<String> {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => $help),* }
            }
        }

        impl fmt::Display for Kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                #[allow(unused_variables)]
                match self { $(Kind::$name $({ $($field),* })? => f.write_str(&$message)),* }
            }
        }
    };
}

impl Kind {
    /// Whether the number is Flash's.
    pub fn is_flash(&self) -> bool {
        self.code() < 9000
    }

    /// Whether the number and its condition are known from the player or from Adobe's own checker, and not only from the player's
    /// list of messages.
    pub fn is_attested(&self) -> bool {
        is_attested(self.code())
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

/// Flash's numbers of which only the message is published. Programs that 3704 would refuse have been shipped, and players draw
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

fn help(text: &str) -> Option<String> {
    Some(text.to_string())
}

/// A count with its noun, which is in the plural unless the count is 1.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// How an operation is written.
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

/// The message for an unknown value of a sampler field, which a later version may have.
fn unknown_value(field: &str, found: u8, later: bool, version: u32) -> String {
    match later {
        true => format!("sampler {field} {found} is not known in version {version}"),
        false => format!("sampler {field} {found} is not known"),
    }
}

include!("kinds.rs");
