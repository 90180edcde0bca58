//! Findings in a program or its assembly text. Each possible cause of a finding has its own kind and number.
//!
//! Rule: libraries report the cause and the location of a finding, and only the command line renders findings. `Display` writes a
//! finding as one line that begins in lower case.

use std::fmt;

use sdlbc::front::{Dropped, FindingPlace, Severity};

use crate::opcode::{MACROS, Opcode};
use crate::word::LONGEST;

/// An error or warning about a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The cause of the finding, with the data that the message needs.
    pub kind: Kind,
    /// Whether the finding is an error or a warning.
    pub severity: Severity,
    /// The location of the finding in the program or its assembly text.
    pub place: FindingPlace,
}

impl Finding {
    /// Creates a finding with the severity of its kind.
    pub fn new(kind: Kind, place: FindingPlace) -> Finding {
        let severity = match &kind {
            Kind::Further { dropped } => sdlbc::front::kept::highest_severity(dropped),
            kind => kind.level().severity(),
        };
        Finding { severity, kind, place }
    }

    /// Returns the number that identifies the kind of the finding, such as 2101.
    pub fn code(&self) -> u16 {
        self.kind.code()
    }

    /// Reports whether the finding is an error. A program with an error is refused.
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

fn mnemonics() -> Option<String> {
    let opcodes: Vec<&str> = Opcode::ALL.iter().map(|op| op.row().mnemonic).collect();
    Some(format!("opcodes are {}, and macros {}", opcodes.join(" "), MACROS.join(" ")))
}

/// Shortens source text to 40 characters, so that a message can quote it.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => text.get(..end).unwrap_or_default().to_string() + "...",
        None => text.to_string(),
    }
}

/// A sentence of advice on how to correct a program.
type Help = String;

fn help(text: &str) -> Option<String> {
    Some(text.to_string())
}

/// Returns the numbers of all warnings. A caller can allow warnings, but not errors.
pub fn allowable() -> impl Iterator<Item = u16> {
    let rows = Kind::ROWS.iter().filter(|row| row.levels().any(|level| level != sdlbc::front::Level::Error));
    rows.flat_map(sdlbc::front::KindRow::codes)
}

sdlbc::finding_table! {
    /// The file is too short to contain a header.
    Short { bytes: usize }, 2101, Error, format!("the file has {bytes} bytes, but the header alone has 8"), help("the file is cut off, or is not a program");
    /// The file does not begin with `ES2v` or `ES2f`.
    Magic, 2102, Error, "the first bytes are not `ES2v` or `ES2f`", None;
    /// The header's version number is unknown.
    Version { version: u8 }, 2103, Error, format!("version {version} is not known; the only version is 1"), None;
    /// A header byte that must be zero is not zero.
    ReservedByte { value: u8 }, 2104, Error, format!("the header's sixth byte is {value:02X} and must be zero"), None;
    /// The header assigns an undefined dimension to a sampler.
    UnknownDimension { sampler: u8 }, 2105, Error, format!("the dimension of sampler t{sampler} is 3, which is not known"), help("0 is 2D, 1 is a cube, 2 is 3D");
    /// The last code word is incomplete.
    PartialWord { bytes: usize }, 2106, Error, format!("the last code word has {bytes} of 8 bytes"), help("the file is cut off");
    /// The program has more than 65,536 instructions.
    TooLong { instructions: usize }, 2107, Error, format!("the program has {instructions} instructions, but the limit is {LONGEST}"), None;
    /// The header assigns a dimension to a sampler that the program does not use.
    UnusedDimension { sampler: u8 }, 2108, Error, format!("the header has a dimension for sampler t{sampler}, which is not used"), None;
    /// A code word has an undefined opcode number.
    UnknownOpcode { number: u8 }, 2111, Error, format!("no opcode has the number {number}"), help("opcodes are 0 to 28");
    /// An external operation is not a texture load.
    UnknownExternal, 2112, Error, "external type 1 is not known", help("type 0 (bit 56 clear) is a texture load");
    /// An extended swizzle contains an undefined selector.
    UnknownSelector { number: u8 }, 2113, Error, format!("the extended swizzle has selector {number}, which is not known"), help("0 to 3 are x to w; 4 and 5 are the numbers 0 and 1");
    /// A code word sets bits that its instruction does not use.
    ReservedBits { bits: u64 }, 2114, Error, format!("bits that the instruction does not use are set, or ARL's destination is not the address register: {bits:016X}"), None;
    /// An instruction writes an output that its stage does not have.
    NoOutput { index: u8, stage: &'static str }, 2121, Error, format!("output {index} does not exist in a {stage} program"), help("a vertex program has varyings 0 to 12, the point size at 14 and the position at 15; a fragment program has data 0 to 3 and the colour at 15");
    /// The program writes both `fragcolor` and one of `d0` to `d3`.
    ColourAndData, 2122, Error, "the program writes both `fragcolor` and one of `d0` to `d3`", help("write `fragcolor` for one target, or `d0` to `d3` for several");
    /// The vertex program does not write all components of the position.
    NoPosition { missing: String }, 2123, Error, format!("the program does not write `position.{missing}`"), help("write all four components: the position in clip space");
    /// The program writes `pointsize` but not its x component.
    NoPointSize, 2132, Error, "the program writes `pointsize` but not its x component", help("the size is `pointsize.x`");
    /// The fragment program writes no colour.
    NoColour, 2124, Error, "the program writes no colour", help("write `fragcolor`, or `d0` to `d3`");
    /// The program reads the address register before ARL loads it.
    NoAddress, 2125, Error, "the address register is read before ARL loads it", None;
    /// The program reads a temporary before writing it.
    Unwritten { register: String, components: String }, 2126, Warning, format!("{register}.{components} was never written and is 0"), None;
    /// The instruction's write mask is empty.
    EmptyMask, 2127, Error, "the write mask is empty", help("an instruction that does nothing is NOP");
    /// Nothing reads the instruction's result.
    Unused, 2128, Warning, "nothing reads the result", None;
    /// The program has further findings, which are not listed.
    Further { dropped: Vec<Dropped> }, 2129, Warning,
        format!("{} further findings are not listed", dropped.iter().map(|more| more.count).sum::<usize>()), None;
    /// An internal error occurred, which is a bug in agalc.
    Internal { error: String }, 2130, Error, format!("internal error: {error}"), help("this is a bug in agalc: please report it");
    /// The fragment program reads a varying that the vertex program does not write.
    Unlinked { register: String, components: String }, 2131, Error, format!("the vertex program does not write {register}.{components}"), None;
    /// The text does not begin with a header.
    NoHeader, 2141, Error, "the text does not begin with `!!ES2vp1.0` or `!!ES2fp1.0`", None;
    /// The header names a different stage from the expected one.
    OtherStage { found: &'static str, wanted: &'static str }, 2142, Error, format!("this is a {found} program, but a {wanted} program is expected"), None;
    /// The text does not end with `END`.
    NoEnd, 2143, Error, "the text does not end with `END`", help("the text may be cut off");
    /// The text continues after `END`.
    AfterEnd, 2144, Warning, "text after `END` is ignored", None;
    /// The text contains a character that cannot begin a token.
    Character { found: char }, 2145, Error, format!("unexpected character {found:?}"), None;
    /// The next token is not the one that the syntax requires.
    Expected { what: &'static str, found: String }, 2146, Error, format!("expected {what}, found {found}"), None;
    /// A statement begins with an unknown opcode.
    UnknownMnemonic { mnemonic: String }, 2147, Error, format!("`{mnemonic}` is not an opcode"), mnemonics();
    /// An operand names an unknown register.
    UnknownRegister { name: String }, 2148, Error, format!("`{name}` is not a register"), help("registers are r0 to r15, a0 to a15, v0 to v12, u0 to u127, d0 to d3, t0 to t7, position, pointsize, fragcolor, fragcoord, pointcoord, frontfacing");
    /// The destination is a register that the stage cannot write.
    NotWritable { name: String, stage: &'static str }, 2149, Error, format!("a {stage} program cannot write `{name}`"), None;
    /// An operand is a number.
    Literal, 2160, Error, "a number cannot be an operand", help("pass numbers in uniforms; an extended swizzle can name 0 and 1: `r0.[0,1,0,1]`");
    /// An operand is the address register, which can only index uniforms.
    AddressRead, 2159, Error, "the address register can only be the index of a uniform", help("`u[A0.x + 5]` reads a uniform; attribute 0 is `a0`");
    /// An operand is a register that the stage cannot read.
    NotReadable { name: String, stage: &'static str }, 2150, Error, format!("a {stage} program cannot read `{name}`"), None;
    /// The number of a register or sampler is out of range.
    OutOfRange { what: &'static str, most: u8, number: String }, 2151, Error, format!("{what}{number} does not exist; the last is {what}{most}"), None;
    /// The letters after a destination are not a write mask.
    BadMask { text: String }, 2152, Error, format!("`.{text}` is not a write mask"), help("write one or more letters of xyzw, in this order");
    /// The letters after an operand are not a swizzle.
    BadSwizzle { text: String }, 2153, Error, format!("`.{text}` is not a swizzle"), help("write one to four of xyzw (the last is repeated), or an extended swizzle with four of xyzw01, such as `.1111`");
    /// The instruction does not allow an extended swizzle on this operand.
    NotExtended { source: u8 }, 2154, Error, format!("source {source} cannot have an extended swizzle"), help("only the first source can, and in MAD no source; move the operand to a temporary with SWZ first");
    /// An instruction reads uniforms from two different banks.
    TwoBanks { first: u8, second: u8 }, 2155, Error, format!("the instruction reads u{first} and u{second}, which are not in the same bank of 16"), help("MOV one of them into a temporary first");
    /// The program uses the same sampler with two different dimensions.
    TwoDimensions { sampler: u8, first: &'static str, second: &'static str }, 2156, Error, format!("sampler t{sampler} is used as {first} earlier and as {second} here"), None;
    /// No temporary is free for the expansion of a macro.
    NoTemporary { name: &'static str }, 2157, Error, format!("{name} needs a temporary, but the text uses all 16"), None;
    /// The instruction must write all components of a temporary.
    NotTemporary { name: &'static str }, 2158, Error, format!("{name} must write all components of a temporary"), help("write a temporary, and copy it to the destination with MOV");
}
