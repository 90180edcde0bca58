//! Registers: their numbers in the code words, and their names in text.

use std::fmt;

use sdlbc::front::Stage;

/// What a source reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum File {
    /// A temporary, 0 to 15.
    #[default]
    Temporary,
    /// An attribute, or a varying or a built-in of a fragment, 0 to 15.
    Input,
    /// A uniform, 0 to 127.
    Uniform,
    /// The uniform with this number, 0 to 127, plus the address register.
    Relative,
}

impl File {
    /// Every file, by its number in a code word.
    pub const ALL: [File; 4] = [File::Temporary, File::Input, File::Uniform, File::Relative];

    /// Whether its numbers have seven bits.
    pub const fn is_uniform(self) -> bool {
        matches!(self, File::Uniform | File::Relative)
    }
}

/// What an instruction writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Written {
    /// A temporary, 0 to 15.
    #[default]
    Temporary,
    /// An output, 0 to 15.
    Output,
}

/// A register of four bits, by what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// A temporary.
    Temporary(u8),
    /// An attribute.
    Attribute(u8),
    /// A varying.
    Varying(u8),
    /// A target of several.
    Data(u8),
    /// The position.
    Position,
    /// The size of a point.
    PointSize,
    /// The position of the fragment.
    FragmentCoordinate,
    /// The position in the point.
    PointCoordinate,
    /// Whether the fragment is of a front face.
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

/// The output of a vertex program that is the point size.
pub(crate) const POINT_SIZE: u8 = 14;
/// The output of a vertex program that is the position.
pub(crate) const POSITION: u8 = 15;

/// What a source of type "input" reads.
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

/// What a destination of type "output" writes; `None` for an index that has no register.
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

/// Registers with a number: the letter before it, and how many there are.
type Numbered = (&'static str, u8, fn(u8) -> Register);

/// All registers with a number.
pub(crate) const NUMBERED: [Numbered; 4] = [
    ("r", TEMPORARIES, Register::Temporary),
    ("a", ATTRIBUTES, Register::Attribute),
    ("v", VARYINGS, Register::Varying),
    ("d", TARGETS, Register::Data),
];

/// The digits after the first letter of a name, if nothing else follows it.
pub(crate) fn digits(name: &str) -> Option<&str> {
    name.get(1..).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Register {
    /// The register with this name, in any case.
    pub fn from_name(name: &str) -> Option<Register> {
        let name = name.to_ascii_lowercase();
        let named = [
            Register::Position,
            Register::PointSize,
            Register::FragmentCoordinate,
            Register::PointCoordinate,
            Register::FrontFacing,
            Register::Colour,
        ];
        if let Some(register) = named.into_iter().find(|register| register.to_string() == name) {
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
            Register::Position => f.write_str("position"),
            Register::PointSize => f.write_str("pointsize"),
            Register::FragmentCoordinate => f.write_str("fragcoord"),
            Register::PointCoordinate => f.write_str("pointcoord"),
            Register::FrontFacing => f.write_str("frontfacing"),
            Register::Colour => f.write_str("fragcolor"),
        }
    }
}
