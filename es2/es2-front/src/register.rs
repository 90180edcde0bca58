//! Maps register numbers in code words to registers, and registers to their names in assembly.

use std::fmt;

use sdlbc::front::Stage;

/// The register files that a source can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum File {
    /// The temporaries, 0 to 15.
    #[default]
    Temporary,
    /// The inputs, 0 to 15: attributes in a vertex program, and varyings and built-in inputs in a fragment program.
    Input,
    /// The uniforms, 0 to 127, indexed by a constant.
    Uniform,
    /// The uniforms, indexed by the sum of a number from 0 to 127 and the address register.
    Relative,
}

impl File {
    /// Every register file, indexed by its number in a code word.
    pub const ALL: [File; 4] = [File::Temporary, File::Input, File::Uniform, File::Relative];

    /// Reports whether the file contains uniforms, whose register numbers have seven bits.
    pub const fn is_uniform(self) -> bool {
        matches!(self, File::Uniform | File::Relative)
    }
}

/// The register files that an instruction can write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Written {
    /// The temporaries, 0 to 15.
    #[default]
    Temporary,
    /// The outputs, 0 to 15.
    Output,
}

/// A register other than a uniform, identified by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Register {
    /// The temporary with this number, 0 to 15.
    Temporary(u8),
    /// The vertex attribute with this number, 0 to 15.
    Attribute(u8),
    /// The varying with this number, 0 to 12.
    Varying(u8),
    /// The colour of the render target with this number, 0 to 3.
    Data(u8),
    /// The vertex position in clip space.
    Position,
    /// The point size that a vertex program writes.
    PointSize,
    /// The fragment's position in the window.
    FragmentCoordinate,
    /// The fragment's position within the rasterised point.
    PointCoordinate,
    /// Whether the fragment belongs to a front face.
    FrontFacing,
    /// The colour of a fragment program's only render target.
    Colour,
}

/// The number of temporaries.
pub const TEMPORARIES: u8 = 16;
/// The number of attributes that a vertex program can read.
pub const ATTRIBUTES: u8 = 16;
/// The number of uniforms that a program can read.
pub const UNIFORMS: u8 = 128;
/// The number of varyings that a pair of programs can share.
pub const VARYINGS: u8 = 13;
/// The number of render targets that a fragment program can write.
pub const TARGETS: u8 = 4;
/// The number of samplers that a program can use.
pub const SAMPLERS: u8 = 8;

/// The index of the point size among the outputs of a vertex program.
pub(crate) const POINT_SIZE: u8 = 14;
/// The index of the position among the outputs of a vertex program.
pub(crate) const POSITION: u8 = 15;

/// Returns the register that a source in [`File::Input`] reads at `index`, or `None` if `index` is above 15.
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

/// Returns the register that a destination in [`Written::Output`] writes at `index`, or `None` if the stage has no such output.
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

/// A kind of numbered register: the first letter of its names, the number of registers, and the constructor.
type Numbered = (&'static str, u8, fn(u8) -> Register);

pub(crate) const NUMBERED: [Numbered; 4] = [
    ("r", TEMPORARIES, Register::Temporary),
    ("a", ATTRIBUTES, Register::Attribute),
    ("v", VARYINGS, Register::Varying),
    ("d", TARGETS, Register::Data),
];

const NAMED: [(&str, Register); 6] = [
    ("position", Register::Position),
    ("pointsize", Register::PointSize),
    ("fragcoord", Register::FragmentCoordinate),
    ("pointcoord", Register::PointCoordinate),
    ("frontfacing", Register::FrontFacing),
    ("fragcolor", Register::Colour),
];

/// Returns the digits of a name that consists of one letter and a number, or `None` for any other name.
pub(crate) fn digits(name: &str) -> Option<&str> {
    name.get(1..).filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

impl Register {
    /// Returns the register with this assembly name, ignoring case.
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
