//! Runs AGAL programs token by token on registers.
//!
//! This is a second implementation of AGAL, independent of the translator in `agal-front`: a witness that the translator's
//! results are compared with. Rule: of `agal-front` it uses only the decoded words of a program (header, tokens and their
//! fields, the sizes of the register files), and it knows nothing of modules. Which operands an opcode has and what it
//! computes is restated here from the published descriptions, as plainly as possible. A test of the workspace,
//! `cli/tests/it/arrows.rs`, holds this crate to the rule.
//!
//! Four invocations run in lockstep, arranged as a quad of fragments: 0 is the upper left one, 1 the upper right, 2 the lower
//! left, 3 the lower right. Each takes its own path through conditionals. A discarded invocation keeps running as a helper
//! invocation for the derivatives of its neighbours. Registers that were not written read as zero.
//!
//! ```
//! use std::collections::BTreeMap;
//!
//! use agal_front::assemble::assemble;
//! use agal_front::register::File;
//! use agal_machine::{Inputs, Machine, Options, Texture};
//!
//! let program = assemble("mul oc, v0, fc0.x", &Default::default()).expect("a program").program;
//! let machine = Machine::new(&program, Options::default()).expect("it can be run");
//! let colour = [[0.5, 1.0, 1.5, 2.0]; 4]; // of the four fragments of a quad
//! let textures = BTreeMap::<u32, Texture>::new();
//! let inputs = Inputs { registers: &[colour], constants: &[[2.0; 4]], instance: [0; 4], environment: &textures };
//! let outputs = machine.run(&inputs);
//! assert_eq!(outputs.get(File::Output, 0).expect("oc").values[0], [1.0, 2.0, 3.0, 4.0]);
//! ```

// Nothing from a file panics: see ARCHITECTURE.md. clippy.toml exempts tests.
#![warn(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod compute;
mod decode;
mod float;
mod level;
mod run;
mod texture;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use agal_front::program::Program;
use agal_front::register::{File, Stage};
use agal_front::token::{Mask, Sampler};

pub use float::Float;
pub use texture::{Dimension, Level, Texture};

use compute::Operation;
use decode::{Action, Decoded, Register};

/// The deepest nesting of conditionals that the machine runs. The player's own limit is lower.
pub const NESTING: usize = 32;

/// A register in each of the four invocations.
pub type Quad = [[f32; 4]; 4];

/// A flag for each of the four invocations.
pub type Lanes = [bool; 4];

/// Choices that the published descriptions leave open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `ifg` compares for greater instead of greater or equal.
    pub strict_ifg: bool,
    /// A computed index is truncated toward zero instead of rounded to the nearest integer.
    pub truncate_index: bool,
    /// The offset of an indirect read is a signed byte.
    pub signed_offset: bool,
    /// The floats to compute in. What a program reads is rounded to them; how textures are filtered is not.
    pub float: Float,
}

/// Why a program cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Error {
    /// The token, counted from 1.
    pub token: usize,
    /// What is wrong with it.
    pub kind: ErrorKind,
}

/// What is wrong with a token that cannot be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The opcode is not defined.
    Opcode(u32),
    /// The opcode belongs to the other stage.
    OtherStage(u32),
    /// The stage and version do not have the source register, or cannot read it: its file and number.
    Source(u8, u32),
    /// The stage and version do not have the destination register, or cannot write it: its file and number.
    Destination(u8, u32),
    /// An indirect read of something other than a constant of a vertex program.
    Index,
    /// `els` outside a conditional, or a second `els` in one.
    Else,
    /// `eif` without an open conditional.
    EndIf,
    /// A conditional that is never closed.
    Unclosed,
    /// Conditionals nested deeper than [`NESTING`].
    Nesting,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token {}: ", self.token)?;
        match self.kind {
            ErrorKind::Opcode(code) => write!(f, "opcode 0x{code:02X} is not defined"),
            ErrorKind::OtherStage(code) => write!(f, "opcode 0x{code:02X} belongs to the other stage"),
            ErrorKind::Source(file, number) => write!(f, "register {number} of file {file} cannot be read"),
            ErrorKind::Destination(file, number) => write!(f, "register {number} of file {file} cannot be written"),
            ErrorKind::Index => write!(f, "only constants of vertex programs can be read through an index"),
            ErrorKind::Else => write!(f, "`els` without an open conditional, or a second `els` in one"),
            ErrorKind::EndIf => write!(f, "`eif` without an open conditional"),
            ErrorKind::Nesting => write!(f, "conditionals are nested deeper than {NESTING}"),
            ErrorKind::Unclosed => write!(f, "the conditional is never closed"),
        }
    }
}

impl std::error::Error for Error {}

/// A texture lookup of all four invocations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// The sampler's number and state. The state is that of the sampler's first use in the program.
    pub sampler: Sampler,
    /// The texture coordinate of each invocation. The third component is 0 for a 2D texture.
    pub coordinates: [[f32; 3]; 4],
    /// The level of detail, before the bias.
    pub level: LevelOfDetail,
    /// Added to the level of detail.
    pub bias: f32,
}

/// Where a lookup's level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelOfDetail {
    /// It is computed from the differences of these coordinates between neighbouring invocations. All four invocations
    /// have a coordinate, including those that do not execute the lookup.
    Implicit([[f32; 3]; 4]),
    /// The program gives it for each invocation.
    Explicit([f32; 4]),
}

/// What a quad reads that is not in its registers: textures and differences between neighbours.
pub trait Environment {
    /// The texels of a lookup, in each invocation.
    fn texels(&self, lookup: &Lookup) -> Quad;

    /// The horizontal derivative: the value of the right neighbour in the same row minus that of the left one.
    fn ddx(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [b - a, b - a, d - c, d - c]
    }

    /// The vertical derivative: the value of the lower neighbour in the same column minus that of the upper one.
    fn ddy(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [c - a, d - b, c - a, d - b]
    }
}

/// Textures by sampler number. A sampler reads zeroes if its texture is missing or has another dimension.
impl Environment for BTreeMap<u32, Texture> {
    fn texels(&self, lookup: &Lookup) -> Quad {
        let texture = self.get(&u32::from(lookup.sampler.number));
        texture.map_or(Quad::default(), |texture| texture.sample(lookup))
    }
}

/// The inputs of four invocations.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The attributes of a vertex program or the varyings of a fragment program, by number. Missing registers are zero.
    pub registers: &'a [Quad],
    /// The constants, by number. Missing constants are zero.
    pub constants: &'a [[f32; 4]],
    /// The instance number of each invocation.
    pub instance: [u32; 4],
    /// Textures and derivatives.
    pub environment: &'a dyn Environment,
}

/// An output register after a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputRegister {
    /// [`File::Output`], [`File::Varying`] or [`File::Depth`].
    pub file: File,
    /// The register's number.
    pub number: u32,
    /// Its value in each invocation.
    pub values: Quad,
    /// The components that each invocation wrote; the others are zero.
    pub written: [Mask; 4],
}

/// The results of four invocations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The output registers that some token of the program writes, whether or not it was executed, by file and number.
    pub registers: Vec<OutputRegister>,
    /// The discarded invocations. Their outputs are meaningless.
    pub killed: Lanes,
}

impl Outputs {
    /// The register of a file and number, if the program writes it.
    pub fn get(&self, file: File, number: u32) -> Option<&OutputRegister> {
        self.registers.iter().find(|output| (output.file, output.number) == (file, number))
    }
}

/// The effect of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It wrote a register: the file, the number, the write mask and the register's value afterwards.
    Wrote(File, u32, Mask, Quad),
    /// It was a conditional, `els` or `eif`: the invocations that execute the next token.
    Active(Lanes),
    /// It was a `kil`: the invocations discarded so far.
    Killed(Lanes),
}

/// The execution of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// The token, counted from 1.
    pub token: usize,
    /// The invocations that executed it; the others skipped it.
    pub ran: Lanes,
    /// What it did in the invocations that executed it.
    pub effect: Effect,
}

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    stage: Stage,
    options: Options,
    /// The number of constants. Computed indices are clamped to it.
    constants: i32,
    decoded: Decoded,
}

impl Machine {
    /// Prepares a program.
    ///
    /// # Errors
    /// The first token that cannot be run.
    pub fn new(program: &Program, options: Options) -> Result<Machine, Error> {
        let mut decoded = decode::decode(program, options)?;
        level::resolve(&mut decoded.steps);
        let constants = File::Constant.count(program.stage, program.version) as i32;
        Ok(Machine { stage: program.stage, options, constants, decoded })
    }

    /// The stage of the program.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The input registers that some token reads, whether or not it is executed: attributes or varyings, constants, samplers
    /// and the instance number. Constants that are read through an index are not included, see [`Machine::indexes`].
    pub fn reads(&self) -> BTreeSet<(File, u32)> {
        let inputs = if self.stage == Stage::Vertex { File::Attribute } else { File::Varying };
        let mut reads = BTreeSet::new();
        for step in &self.decoded.steps {
            if let Action::Texture(texture) = &step.action {
                reads.insert((File::Sampler, u32::from(texture.sampler.number)));
            }
            for (slot, source) in step.sources.iter().enumerate() {
                let Some(source) = source else { continue };
                let rows = match step.action {
                    Action::Compute(Operation::Rows(rows, _)) if slot == 1 && source.index.is_none() => rows,
                    _ => 1,
                };
                let (file, first) = match source.index.map_or(source.register, |index| index.register) {
                    Register::Input(number) => (inputs, number),
                    Register::Constant(number) => (File::Constant, number),
                    Register::Instance => (File::Instance, 0),
                    Register::Writable(_) => continue,
                };
                let numbers = (0..rows).filter_map(|row| u32::try_from(first + row).ok());
                reads.extend(numbers.map(|number| (file, number)));
            }
        }
        reads
    }

    /// Whether constants are read through an index. Any constant may then be read.
    pub fn indexes(&self) -> bool {
        self.decoded.steps.iter().flat_map(|step| step.sources.iter().flatten()).any(|source| source.index.is_some())
    }

    /// The texture dimension of a sampler, if the program uses the sampler.
    pub fn dimension(&self, sampler: u32) -> Option<Dimension> {
        self.decoded.steps.iter().find_map(|step| match &step.action {
            Action::Texture(texture) if u32::from(texture.sampler.number) == sampler => {
                Some(Dimension::of(texture.sampler))
            }
            _ => None,
        })
    }

    /// Runs four invocations.
    pub fn run(&self, inputs: &Inputs<'_>) -> Outputs {
        self.trace(inputs, |_| {})
    }

    /// Runs four invocations and reports each token in order, including those that no invocation executes.
    pub fn trace(&self, inputs: &Inputs<'_>, report: impl FnMut(&Trace)) -> Outputs {
        run::run(self, inputs, report)
    }
}
