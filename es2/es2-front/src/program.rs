//! Defines programs and their file format. A program has a stage, the dimensions of eight samplers, and instructions. A program
//! file consists of a header and code words.

use sdlbc::front::{FindingPlace, Part};

use crate::finding::{Finding, Findings, Kind};
use crate::opcode::Opcode;
pub use crate::word::LONGEST;
use crate::word::{Instruction, WordError};
use sdlbc::front::Stage;

/// The dimension of a sampler's texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// A two-dimensional texture.
    #[default]
    D2,
    /// A cube texture.
    Cube,
    /// A three-dimensional texture.
    D3,
}

impl Dimension {
    /// Every dimension, indexed by its number in a file header.
    pub const ALL: [Dimension; 3] = [Dimension::D2, Dimension::Cube, Dimension::D3];

    /// Returns the number of components of a texture coordinate, 2 or 3.
    pub const fn coordinate(self) -> u8 {
        match self {
            Dimension::D2 => 2,
            Dimension::Cube | Dimension::D3 => 3,
        }
    }

    /// Returns the dimension's name in assembly: `2D`, `CUBE` or `3D`.
    pub const fn name(self) -> &'static str {
        match self {
            Dimension::D2 => "2D",
            Dimension::Cube => "CUBE",
            Dimension::D3 => "3D",
        }
    }
}

/// A program of the unified-shader instruction set.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The stage that runs the program.
    pub stage: Stage,
    /// The dimension of each sampler's texture, which is 2D for an unused sampler.
    pub dimensions: [Dimension; 8],
    /// The instructions, in the order of execution.
    pub instructions: Vec<Instruction>,
}

/// The size of a program file's header in bytes.
pub const HEADER_BYTES: usize = 8;
/// The size of a code word in bytes.
pub const WORD_BYTES: usize = 8;
const VERSION: u8 = 1;

/// Returns the location of a part of the instruction at `index`, where 0 is the first instruction.
pub fn at(index: usize, part: Part) -> FindingPlace {
    FindingPlace::part(index, part, HEADER_BYTES + index * WORD_BYTES)
}

impl Program {
    /// Creates a program without instructions.
    pub const fn new(stage: Stage) -> Program {
        Program { stage, dimensions: [Dimension::D2; 8], instructions: Vec::new() }
    }

    /// Returns the dimension of a sampler's texture, or 2D if no sampler has this number.
    pub fn dimension(&self, sampler: u8) -> Dimension {
        self.dimensions.get(usize::from(sampler)).copied().unwrap_or_default()
    }

    /// Reports whether the bytes begin like a program file of any stage and version. No assembly text begins with these bytes.
    pub fn is_file(bytes: &[u8]) -> bool {
        match bytes.strip_prefix(b"ES2") {
            Some([b'v' | b'f']) => true,
            Some([stage, version, ..]) => {
                stage.is_ascii_alphabetic() && version.is_ascii_control() && !version.is_ascii_whitespace()
            }
            _ => false,
        }
    }

    /// Decodes a program file.
    ///
    /// # Errors
    ///
    /// Returns the errors in the file.
    pub fn decode(bytes: &[u8]) -> Result<Program, Vec<Finding>> {
        let refuse = |kind, byte| Err(vec![Finding::new(kind, FindingPlace::byte(byte))]);
        let Some((header, code)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return refuse(Kind::Short { bytes: bytes.len() }, bytes.len());
        };
        let [b'E', b'S', b'2', stage, version, zero, low, high] = *header else {
            return refuse(Kind::Magic, 0);
        };
        let stage = match stage {
            b'v' => Stage::Vertex,
            b'f' => Stage::Fragment,
            _ => return refuse(Kind::Magic, 3),
        };
        if version != VERSION {
            return refuse(Kind::Version { version }, 4);
        }
        let mut findings = Findings::default();
        let mut report = |kind, place| findings.push(Finding::new(kind, place));
        let of_dimension = |sampler: u8| FindingPlace::byte(6 + usize::from(sampler) / 4);
        if zero != 0 {
            report(Kind::ReservedByte { value: zero }, FindingPlace::byte(5));
        }
        let mut program = Program::new(stage);
        for (sampler, dimension) in (0..8).zip(&mut program.dimensions) {
            let number = u16::from_le_bytes([low, high]) >> (2 * sampler) & 3;
            match Dimension::ALL.get(usize::from(number)) {
                Some(known) => *dimension = *known,
                None => report(Kind::UnknownDimension { sampler }, of_dimension(sampler)),
            }
        }
        let (words, rest) = code.as_chunks::<WORD_BYTES>();
        if !rest.is_empty() {
            report(Kind::PartialWord { bytes: rest.len() }, FindingPlace::byte(bytes.len() - rest.len()));
        }
        if words.len() > LONGEST {
            report(Kind::TooLong { instructions: words.len() }, at(LONGEST, Part::Operation));
        }
        for (index, word) in words.iter().enumerate().take(LONGEST) {
            match Instruction::decode(u64::from_le_bytes(*word)) {
                Ok(instruction) => program.instructions.push(instruction),
                Err(error) => {
                    let (kind, part) = match error {
                        WordError::Opcode(number) => (Kind::UnknownOpcode { number }, Part::Operation),
                        WordError::External => (Kind::UnknownExternal, Part::Destination),
                        WordError::Selector(number) => (Kind::UnknownSelector { number }, Part::Source(0)),
                        WordError::Reserved(bits) => (Kind::ReservedBits { bits }, Part::Operation),
                    };
                    report(kind, at(index, part));
                }
            }
        }
        // Unused samplers are known only if every code word could be decoded.
        if findings.is_empty() {
            let uses =
                |instruction: &Instruction, sampler| instruction.op == Opcode::Tex && instruction.sampler == sampler;
            let is_used = |sampler| program.instructions.iter().any(|instruction| uses(instruction, sampler));
            let unused = (0..8).filter(|&sampler| program.dimension(sampler) != Dimension::D2 && !is_used(sampler));
            findings
                .extend(unused.map(|sampler| Finding::new(Kind::UnusedDimension { sampler }, of_dimension(sampler))));
        }
        let findings = findings.into_list();
        if findings.is_empty() { Ok(program) } else { Err(findings) }
    }

    /// Encodes the program as a file.
    pub fn encode(&self) -> Vec<u8> {
        let stage = if self.stage == Stage::Vertex { b'v' } else { b'f' };
        let dimensions = self.dimensions.iter().rev().fold(0u16, |word, &dimension| word << 2 | dimension as u16);
        let [low, high] = dimensions.to_le_bytes();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + WORD_BYTES * self.instructions.len());
        bytes.extend([b'E', b'S', b'2', stage, VERSION, 0, low, high]);
        bytes.extend(self.instructions.iter().flat_map(|instruction| instruction.encode().to_le_bytes()));
        bytes
    }
}
