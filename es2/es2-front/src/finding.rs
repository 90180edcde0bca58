//! Findings in a program or its text: one matchable kind for each cause, with a number, and the place.
//!
//! Rule: libraries report the cause and the place; only the command line renders them. Display is one lower-case line.

use std::fmt;

use sdlbc::front::{Dropped, FindingPlace, Severity};

use crate::opcode::{MACROS, Opcode};
use crate::word::LONGEST;

/// A finding: its cause, severity and place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause.
    pub kind: Kind,
    /// The severity of the finding.
    pub severity: Severity,
    /// The place.
    pub place: FindingPlace,
}

impl Finding {
    /// A finding with the severity of its kind.
    pub fn new(kind: Kind, place: FindingPlace) -> Finding {
        let severity = match &kind {
            Kind::Further { dropped } => sdlbc::front::kept::highest_severity(dropped),
            kind => kind.level().severity(),
        };
        Finding { severity, kind, place }
    }

    /// The number of the finding.
    pub fn code(&self) -> u16 {
        self.kind.code()
    }

    /// Whether the program is refused because of this finding.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

impl std::error::Error for Finding {}

/// The findings of one program.
pub(crate) type Findings = sdlbc::front::Findings<Finding>;

impl sdlbc::front::Reported for Finding {
    type Cause = Kind;

    fn cause(&self) -> &Kind {
        &self.kind
    }

    fn further(cause: Kind) -> Finding {
        Finding::new(cause, FindingPlace::default())
    }

    fn is_refusal(&self) -> bool {
        self.is_error()
    }
}

/// All words that can begin a statement.
fn mnemonics() -> Option<String> {
    let opcodes: Vec<&str> = Opcode::ALL.iter().map(|op| op.row().mnemonic).collect();
    Some(format!("opcodes are {}, and macros {}", opcodes.join(" "), MACROS.join(" ")))
}

/// Quoted text in a message, shortened.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_string() + "...",
        None => text.to_string(),
    }
}

/// Advice on a finding: a sentence.
type Help = String;

fn help(text: &str) -> Option<String> {
    Some(text.to_string())
}

/// The numbers of the findings that a caller can allow, which are the warnings.
pub fn allowable() -> impl Iterator<Item = u16> {
    let rows = Kind::ROWS.iter().filter(|row| row.levels().any(|level| level != sdlbc::front::Level::Error));
    rows.flat_map(sdlbc::front::KindRow::codes)
}

sdlbc::finding_table! {
    // The file.
    /// Too short for a header.
    Short { bytes: usize }, 2101, Error, format!("the file has {bytes} bytes, and a header has 8"), help("the file is cut off, or is not a program");
    /// The first bytes are not a header's.
    Magic, 2102, Error, "the first bytes are not `ES2v` or `ES2f`", None;
    /// A version that does not exist.
    Version { version: u8 }, 2103, Error, format!("version {version} is not known; there is version 1"), None;
    /// A byte of the header that must be zero.
    ReservedByte { value: u8 }, 2104, Error, format!("the header's sixth byte is {value:02X} and must be zero"), None;
    /// A dimension that does not exist.
    UnknownDimension { sampler: u8 }, 2105, Error, format!("the dimension of sampler t{sampler} is 3"), help("0 is 2D, 1 a cube, 2 is 3D");
    /// The last word is not whole.
    PartialWord { bytes: usize }, 2106, Error, format!("the last code word has {bytes} of 8 bytes"), help("the file is cut off");
    /// More instructions than the limit.
    TooLong { instructions: usize }, 2107, Error, format!("the program has {instructions} instructions, more than {LONGEST}"), None;
    /// A dimension of a sampler that is not used.
    UnusedDimension { sampler: u8 }, 2108, Error, format!("the header has a dimension for sampler t{sampler}, which is not used"), None;
    // Code words.
    /// An opcode that does not exist.
    UnknownOpcode { number: u8 }, 2111, Error, format!("no opcode has the number {number}"), help("opcodes are 0 to 28");
    /// An external operation other than a texture load.
    UnknownExternal, 2112, Error, "external type 1 is not known", help("type 0, bit 56 clear, is a texture load");
    /// A selector of the extended swizzle that does not exist.
    UnknownSelector { number: u8 }, 2113, Error, format!("the extended swizzle has selector {number}"), help("0 to 3 are x to w, 4 and 5 are the numbers 0 and 1");
    /// Bits that the instruction does not use.
    ReservedBits { bits: u64 }, 2114, Error, format!("bits that the instruction does not use are set, or ARL's destination is not the address register: {bits:016X}"), None;
    // Programs.
    /// An output that the stage does not have.
    NoOutput { index: u8, stage: &'static str }, 2121, Error, format!("output {index} does not exist in a {stage} program"), help("a vertex program has varyings 0 to 12, the point size at 14 and the position at 15; a fragment program has data 0 to 3 and the colour at 15");
    /// Both a colour and data.
    ColourAndData, 2122, Error, "the program writes `fragcolor` and `d0` to `d3`", help("write `fragcolor` for one target, or `d0` to `d3` for several");
    /// The position is missing.
    NoPosition { missing: String }, 2123, Error, format!("the program does not write `position.{missing}`"), help("write all four components: the position in clip space");
    /// The point size is written without x.
    NoPointSize, 2132, Error, "the program writes `pointsize` without x", help("the size is `pointsize.x`");
    /// Nothing is written.
    NoColour, 2124, Error, "the program writes no colour", help("write `fragcolor`, or `d0` to `d3`");
    /// The address register is read before it is loaded.
    NoAddress, 2125, Error, "the address register is read before ARL loads it", None;
    /// A temporary is read before it is written.
    Unwritten { register: String, components: String }, 2126, Warning, format!("{register}.{components} was never written and is 0"), None;
    /// Nothing is written because the mask is empty.
    EmptyMask, 2127, Error, "the write mask is empty", help("an instruction that does nothing is NOP");
    /// A result that nothing reads.
    Unused, 2128, Warning, "nothing reads the result", None;
    /// Findings that are not kept.
    Further { dropped: Vec<Dropped> }, 2129, Warning,
        format!("{} further findings are not listed", dropped.iter().map(|more| more.count).sum::<usize>()), None;
    /// A mistake of this crate.
    Internal { error: String }, 2130, Error, format!("internal error: {error}"), help("this is a bug in agalc: please report it");
    /// A varying that the vertex program does not write.
    Unlinked { register: String, components: String }, 2131, Error, format!("the vertex program does not write {register}.{components}"), None;
    // Text.
    /// The header is missing.
    NoHeader, 2141, Error, "the text does not begin with `!!ES2vp1.0` or `!!ES2fp1.0`", None;
    /// The header is not of the expected stage.
    OtherStage { found: &'static str, wanted: &'static str }, 2142, Error, format!("this is a {found} program, and a {wanted} program is expected"), None;
    /// `END` is missing.
    NoEnd, 2143, Error, "the text does not end with `END`", help("the text may be cut off");
    /// Text after `END`.
    AfterEnd, 2144, Warning, "text after `END` is ignored", None;
    /// A character that no token begins with.
    Character { found: char }, 2145, Error, format!("unexpected character {found:?}"), None;
    /// Another token was expected.
    Expected { what: &'static str, found: String }, 2146, Error, format!("expected {what}, found {found}"), None;
    /// An opcode that does not exist.
    UnknownMnemonic { mnemonic: String }, 2147, Error, format!("`{mnemonic}` is not an opcode"), mnemonics();
    /// A register that does not exist.
    UnknownRegister { name: String }, 2148, Error, format!("`{name}` is not a register"), help("r0 to r15, a0 to a15, v0 to v12, u0 to u127, d0 to d3, t0 to t7, position, pointsize, fragcolor, fragcoord, pointcoord, frontfacing");
    /// A register that cannot be written here.
    NotWritable { name: String, stage: &'static str }, 2149, Error, format!("a {stage} program cannot write `{name}`"), None;
    /// A number as an operand.
    Literal, 2160, Error, "a number cannot be an operand", help("numbers are uniforms; an extended swizzle has 0 and 1: `r0.[0,1,0,1]`");
    /// The address register as an operand.
    AddressRead, 2159, Error, "the address register can only be the index of a uniform", help("`u[A0.x + 5]` reads a uniform; attribute 0 is `a0`");
    /// A register that cannot be read here.
    NotReadable { name: String, stage: &'static str }, 2150, Error, format!("a {stage} program cannot read `{name}`"), None;
    /// A number outside its range.
    OutOfRange { what: &'static str, most: u8, number: String }, 2151, Error, format!("{what}{number} does not exist; the last is {what}{most}"), None;
    /// Letters that are not a write mask.
    BadMask { text: String }, 2152, Error, format!("`.{text}` is not a write mask"), help("some of xyzw, in order");
    /// Letters that are not a swizzle.
    BadSwizzle { text: String }, 2153, Error, format!("`.{text}` is not a swizzle"), help("one to four of xyzw, of which the last is repeated; an extended swizzle has four of xyzw01, such as `.1111`");
    /// An extended swizzle where there is none.
    NotExtended { source: u8 }, 2154, Error, format!("source {source} cannot have an extended swizzle"), help("only the first source can, and none of MAD: use SWZ into a temporary");
    /// Uniforms of two banks.
    TwoBanks { first: u8, second: u8 }, 2155, Error, format!("the instruction reads u{first} and u{second}, which are not in the same bank of 16"), help("MOV one of them into a temporary first");
    /// Two dimensions of a sampler.
    TwoDimensions { sampler: u8, first: &'static str, second: &'static str }, 2156, Error, format!("sampler t{sampler} is {first} before and {second} here"), None;
    /// No temporary is left for a macro.
    NoTemporary { name: &'static str }, 2157, Error, format!("{name} needs a temporary, and the text names all 16"), None;
    /// A destination that must be a temporary.
    NotTemporary { name: &'static str }, 2158, Error, format!("{name} writes all components of a temporary, and nothing else"), help("write a temporary, and MOV it to where it is needed");
}
