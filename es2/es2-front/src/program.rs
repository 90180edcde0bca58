//! A program: its stage, the dimensions of its samplers, and its instructions. In a file it is a header and code words.

use sdlbc::front::{FindingPlace, Part};

use crate::finding::{Finding, Findings, Kind};
use crate::opcode::Opcode;
pub use crate::word::LONGEST;
use crate::word::{Instruction, WordError};
use sdlbc::front::Stage;

/// The dimension of a sampler's texture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Two-dimensional.
    #[default]
    D2,
    /// A cube.
    Cube,
    /// Three-dimensional.
    D3,
}

impl Dimension {
    /// Every dimension, by its number in a file.
    pub const ALL: [Dimension; 3] = [Dimension::D2, Dimension::Cube, Dimension::D3];

    /// The number of components of a coordinate.
    pub const fn coordinate(self) -> u8 {
        match self {
            Dimension::D2 => 2,
            Dimension::Cube | Dimension::D3 => 3,
        }
    }

    /// The word in text.
    pub const fn name(self) -> &'static str {
        match self {
            Dimension::D2 => "2D",
            Dimension::Cube => "CUBE",
            Dimension::D3 => "3D",
        }
    }
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// The stage.
    pub stage: Stage,
    /// The dimension of each sampler; 2D for an unused one.
    pub dimensions: [Dimension; 8],
    /// The instructions.
    pub instructions: Vec<Instruction>,
}

/// The number of bytes before the first word.
pub const HEADER_BYTES: usize = 8;
/// The number of bytes in a word.
pub const WORD_BYTES: usize = 8;
/// The version number in a file.
const VERSION: u8 = 1;

/// The place of a part of the instruction at `index`, counted from 0.
pub fn at(index: usize, part: Part) -> FindingPlace {
    FindingPlace::part(index, part, HEADER_BYTES + index * WORD_BYTES)
}

impl Program {
    /// A program without instructions.
    pub const fn new(stage: Stage) -> Program {
        Program { stage, dimensions: [Dimension::D2; 8], instructions: Vec::new() }
    }

    /// The dimension of a sampler.
    pub fn dimension(&self, sampler: u8) -> Dimension {
        self.dimensions.get(usize::from(sampler)).copied().unwrap_or_default()
    }

    /// Whether bytes begin like a file of any stage and version; no text does.
    pub fn is_file(bytes: &[u8]) -> bool {
        match bytes.strip_prefix(b"ES2") {
            Some([b'v' | b'f']) => true,
            Some([stage, version, ..]) => {
                stage.is_ascii_alphabetic() && version.is_ascii_control() && !version.is_ascii_whitespace()
            }
            _ => false,
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All faults of the file.
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
        // A word with an error may use a sampler.
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

    /// The bytes of a file.
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
