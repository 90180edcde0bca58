//! Registers: their numbers in the code words, and their names in text.

use std::fmt;

use sdlbc::front::Stage;

/// The kinds of registers that a source reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum File {
    /// A temporary, 0 to 15.
    #[default]
    Temporary,
    /// An attribute; in a fragment program, a varying or a built-in input; 0 to 15.
    Input,
    /// A uniform, 0 to 127.
    Uniform,
    /// The uniform with this number, 0 to 127, plus the address register.
    Relative,
}

impl File {
    /// Every file, by its number in a code word.
    pub const ALL: [File; 4] = [File::Temporary, File::Input, File::Uniform, File::Relative];

    /// Whether the register numbers have seven bits.
    pub const fn is_uniform(self) -> bool {
        matches!(self, File::Uniform | File::Relative)
    }
}

/// The kinds of registers that an instruction writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Written {
    /// A temporary, 0 to 15.
    #[default]
    Temporary,
    /// An output, 0 to 15.
    Output,
}

/// A register with a four-bit number, by purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A temporary.
    Temporary(u8),
    /// An attribute.
    Attribute(u8),
    /// A varying.
    Varying(u8),
    /// One of several colour targets.
    Data(u8),
    /// The position.
    Position,
    /// The size of a point.
    PointSize,
    /// The position of the fragment.
    FragmentCoordinate,
    /// The position in the point.
    PointCoordinate,
    /// Whether the fragment belongs to a front face.
    FrontFacing,
    /// The colour of the only target.
    Colour,
}

/// The number of temporaries.
pub const TEMPORARIES: u8 = 16;
/// The number of attributes.
pub const ATTRIBUTES: u8 = 16;
/// The number of uniforms.
pub const UNIFORMS: u8 = 128;
/// The number of varyings.
pub const VARYINGS: u8 = 13;
/// The number of targets.
pub const TARGETS: u8 = 4;
/// The number of samplers.
pub const SAMPLERS: u8 = 8;

/// The index of the point size among the outputs of a vertex program.
pub(crate) const POINT_SIZE: u8 = 14;
/// The index of the position among the outputs of a vertex program.
pub(crate) const POSITION: u8 = 15;

/// The register for an index of a source of type "input".
pub fn input(stage: Stage, index: u8) -> Option<Register> {
    match (stage, index) {
        (_, 16..) => None,
        (Stage::Vertex, _) => Some(Register::Attribute(index)),
        (Stage::Fragment, 13) => Some(Register::FrontFacing),
        (Stage::Fragment, 14) => Some(Register::PointCoordinate),
        (Stage::Fragment, 15) => Some(Register::FragmentCoordinate),
        (Stage::Fragment, _) => Some(Register::Varying(index)),
    }
}

/// The register for an index of a destination of type "output"; `None` if there is none.
pub fn output(stage: Stage, index: u8) -> Option<Register> {
    match (stage, index) {
        (Stage::Vertex, _) if index < VARYINGS => Some(Register::Varying(index)),
        (Stage::Vertex, POINT_SIZE) => Some(Register::PointSize),
        (Stage::Vertex, POSITION) => Some(Register::Position),
        (Stage::Fragment, _) if index < TARGETS => Some(Register::Data(index)),
        (Stage::Fragment, 15) => Some(Register::Colour),
        _ => None,
    }
}

/// A kind of numbered register: the letter before the number, and how many there are.
type Numbered = (&'static str, u8, fn(u8) -> Register);

/// All kinds of numbered registers.
pub(crate) const NUMBERED: [Numbered; 4] = [
    ("r", TEMPORARIES, Register::Temporary),
    ("a", ATTRIBUTES, Register::Attribute),
    ("v", VARYINGS, Register::Varying),
    ("d", TARGETS, Register::Data),
];

/// The registers without a number.
const NAMED: [(&str, Register); 6] = [
    ("position", Register::Position),
    ("pointsize", Register::PointSize),
    ("fragcoord", Register::FragmentCoordinate),
    ("pointcoord", Register::PointCoordinate),
    ("frontfacing", Register::FrontFacing),
    ("fragcolor", Register::Colour),
];

/// The digits after the first letter of a name, if the rest consists only of digits.
pub(crate) fn digits(name: &str) -> Option<&str> {
    name.get(1..).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Register {
    /// The register with this name, in either case.
    pub fn from_name(name: &str) -> Option<Register> {
        let name = name.to_ascii_lowercase();
        if let Some((_, register)) = NAMED.into_iter().find(|(known, _)| *known == name) {
            return Some(register);
        }
        let (_, count, register) = NUMBERED.into_iter().find(|(letter, ..)| name.starts_with(letter))?;
        let number = digits(&name)?.parse().ok().filter(|&number| number < count)?;
        Some(register(number))
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Register::Temporary(number) => write!(f, "r{number}"),
            Register::Attribute(number) => write!(f, "a{number}"),
            Register::Varying(number) => write!(f, "v{number}"),
            Register::Data(number) => write!(f, "d{number}"),
            named => f.write_str(NAMED.iter().find(|(_, register)| register == named).map_or("", |(name, _)| name)),
        }
    }
}
