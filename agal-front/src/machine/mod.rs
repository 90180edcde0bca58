//! AGAL's own machine: runs a program token by token on registers.
//!
//! It is a second reading of AGAL beside the translator, to hold the translator against. Rule: it shares nothing with it but the
//! bits of a token and the sizes of the register files; what an opcode takes and computes is stated here again, from the
//! published descriptions, and written for plainness.
//!
//! Four invocations run in lockstep, as fragments do: 0 is the upper left one of a quad, 1 the upper right, 2 the lower
//! left, 3 the lower right. Each goes its own way through conditionals. One that is discarded goes on for its neighbours' sake.
//! What was not written reads as zero.

#![expect(
    clippy::indexing_slicing,
    reason = "lanes, components and axes are counted over arrays of as many; a component of a swizzle has two bits"
)]

mod compute;
mod decode;
mod level;
mod texture;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

pub use texture::{Level, Texture};

use sdlbc::Dimension;

use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Mask, Sampler};
use compute::{Operation, compute};
use decode::{Act, Decoded, Operand, Place, Step, TextureLevel};

/// A register in each of the four invocations.
pub type Quad = [[f32; 4]; 4];

/// A yes or no for each of the four invocations.
pub type Lanes = [bool; 4];

/// Choices where the published facts leave one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// `ifg` asks for greater, not for greater or equal.
    pub strict_ifg: bool,
    /// A computed index is cut toward zero, not rounded to the nearest whole number.
    pub truncate_index: bool,
    /// The offset of an indirect read is a signed byte.
    pub signed_offset: bool,
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
    /// A number that no operation has.
    Opcode(u32),
    /// An operation of the other stage.
    OtherStage(u32),
    /// A source register that the stage and version do not have, or do not read: its file and number.
    Source(u8, u32),
    /// A destination register that the stage and version do not have, or do not write: its file and number.
    Destination(u8, u32),
    /// A register that is read through an index where only constants of vertex programs can be.
    Index,
    /// `els` outside of a conditional, or the second of one.
    Else,
    /// `eif` outside of a conditional.
    EndIf,
    /// A conditional that is not closed.
    Unclosed,
    /// Conditionals nested deeper than [`sdlbc::limits::NESTING`].
    Nesting,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "token {}: ", self.token)?;
        match self.kind {
            ErrorKind::Opcode(code) => write!(f, "opcode 0x{code:02X} has no operation"),
            ErrorKind::OtherStage(code) => write!(f, "opcode 0x{code:02X} belongs to the other stage"),
            ErrorKind::Source(file, number) => write!(f, "register {number} of file {file} cannot be read"),
            ErrorKind::Destination(file, number) => write!(f, "register {number} of file {file} cannot be written"),
            ErrorKind::Index => write!(f, "only constants of vertex programs are read through an index"),
            ErrorKind::Else => write!(f, "`els` stands outside of a conditional or behind another `els`"),
            ErrorKind::EndIf => write!(f, "`eif` closes no conditional"),
            ErrorKind::Nesting => write!(f, "conditionals are nested deeper than {}", sdlbc::limits::NESTING),
            ErrorKind::Unclosed => write!(f, "the conditional is never closed"),
        }
    }
}

impl std::error::Error for Error {}

/// What a texture opcode reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lookup {
    /// The sampler's number, and how it samples: the fields of its first use in the program, whose state holds.
    pub sampler: Sampler,
    /// Where, in each invocation. A 2D texture has no third coordinate.
    pub coordinates: [[f32; 3]; 4],
    /// Where the level of detail comes from.
    pub level: LevelOf,
    /// Is added to the level.
    pub bias: f32,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelOf {
    /// How these differ between the invocations: the coordinates in each, also in those that do not sample.
    Neighbours([[f32; 3]; 4]),
    /// The program.
    Given([f32; 4]),
}

/// What lies around a quad.
pub trait Surroundings {
    /// What a texture opcode reads, in each invocation.
    fn texels(&self, lookup: &Lookup) -> Quad;

    /// How a value changes to the right: the right neighbour's in the same row, less the left one's.
    fn ddx(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [b - a, b - a, d - c, d - c]
    }

    /// How a value changes downward on the screen: the lower one's in the same column, less the upper one's.
    fn ddy(&self, values: [f32; 4]) -> [f32; 4] {
        let [a, b, c, d] = values;
        [c - a, d - b, c - a, d - b]
    }
}

/// Textures by the number of their sampler. A sampler that has none, or one of another dimension, reads zeroes.
impl Surroundings for BTreeMap<u32, Texture> {
    fn texels(&self, lookup: &Lookup) -> Quad {
        let texture = self.get(&u32::from(lookup.sampler.number));
        texture.map_or(Quad::default(), |texture| texture.sample(lookup))
    }
}

/// What four invocations are given.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// A vertex program's attributes or a fragment program's varyings, by number. What is missing is zero.
    pub registers: &'a [Quad],
    /// The constants, by number. What is missing is zero.
    pub constants: &'a [[f32; 4]],
    /// The number of the instance.
    pub instance: [u32; 4],
    /// Textures and derivatives.
    pub surroundings: &'a dyn Surroundings,
}

/// An output register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Output {
    /// [`File::Output`], [`File::Varying`] or [`File::Depth`].
    pub file: File,
    /// Its number.
    pub number: u32,
    /// What it holds.
    pub values: Quad,
    /// Which components were written; the others are zero.
    pub written: [Mask; 4],
}

/// What four invocations give.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outputs {
    /// The output registers that some token of the program writes, whether or not it ran, by file and number.
    pub registers: Vec<Output>,
    /// Which invocations were discarded. Their outputs mean nothing.
    pub killed: Lanes,
}

impl Outputs {
    /// The register of a file and number, if the program writes it.
    pub fn get(&self, file: File, number: u32) -> Option<&Output> {
        self.registers.iter().find(|output| (output.file, output.number) == (file, number))
    }
}

/// What a token did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// It wrote a register, whose file, number, mask and new values these are.
    Wrote(File, u32, Mask, Quad),
    /// It opened, turned or closed a conditional; these invocations run what follows.
    Goes(Lanes),
    /// It was a `kil`; these invocations are discarded now, by it or before.
    Killed(Lanes),
}

/// A token that was run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trace {
    /// Its number, from 1.
    pub token: usize,
    /// The invocations that ran it; the others passed it by.
    pub ran: Lanes,
    /// What it did in those that ran it.
    pub effect: Effect,
}

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    stage: Stage,
    options: Options,
    /// How many constants there are, which an index is held within.
    constants: i32,
    decoded: Decoded,
}

impl Machine {
    /// Makes a program ready.
    ///
    /// # Errors
    /// The first token that has no meaning.
    pub fn new(program: &Program, options: Options) -> Result<Machine, Error> {
        let mut decoded = decode::decode(program, options)?;
        level::settle(&mut decoded.steps);
        let constants = File::Constant.count(program.stage, program.version) as i32;
        Ok(Machine { stage: program.stage, options, constants, decoded })
    }

    /// The stage of the program.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The registers that the program is given and that some token reads, whether or not it runs: attributes or varyings, constants,
    /// samplers, the instance. Of constants that are read through an index there is none here, see [`Machine::indexes`].
    pub fn reads(&self) -> BTreeSet<(File, u32)> {
        let given = if self.stage == Stage::Vertex { File::Attribute } else { File::Varying };
        let mut reads = BTreeSet::new();
        for step in &self.decoded.steps {
            if let Act::Texture(texture) = &step.act {
                reads.insert((File::Sampler, u32::from(texture.sampler.number)));
            }
            for (slot, source) in step.sources.iter().enumerate() {
                let Some(source) = source else { continue };
                let rows = match step.act {
                    Act::Compute(Operation::Rows(rows, _)) if slot == 1 && source.index.is_none() => rows,
                    _ => 1,
                };
                let register = match source.index.map_or(source.place, |index| index.place) {
                    Place::Given(number) => (given, number),
                    Place::Constant(number) => (File::Constant, number),
                    Place::Instance => (File::Instance, 0),
                    Place::Held(_) => continue,
                };
                let numbers = (0..rows).filter_map(|row| u32::try_from(register.1 + row).ok());
                reads.extend(numbers.map(|number| (register.0, number)));
            }
        }
        reads
    }

    /// Whether constants are read through an index, which may be any of them.
    pub fn indexes(&self) -> bool {
        self.decoded.steps.iter().flat_map(|step| step.sources.iter().flatten()).any(|source| source.index.is_some())
    }

    /// The dimension of the texture that a sampler reads, if the program has the sampler.
    pub fn dimension(&self, sampler: u32) -> Option<Dimension> {
        self.decoded.steps.iter().find_map(|step| match &step.act {
            Act::Texture(texture) if u32::from(texture.sampler.number) == sampler => {
                Some(texture::dimension(texture.sampler))
            }
            _ => None,
        })
    }

    /// Runs four invocations.
    pub fn run(&self, inputs: &Inputs<'_>) -> Outputs {
        self.trace(inputs, |_| {})
    }

    /// Runs four invocations and tells of each token, in order, also of those that none of them ran.
    pub fn trace(&self, inputs: &Inputs<'_>, mut tell: impl FnMut(&Trace)) -> Outputs {
        let held = vec![Quad::default(); self.decoded.held.len()];
        let written = vec![[0; 4]; held.len()];
        let mut run =
            Run { machine: self, inputs, held, before: Vec::new(), written, arms: Vec::new(), killed: [false; 4] };
        for (index, step) in self.decoded.steps.iter().enumerate() {
            let ran = run.going();
            let effect = run.step(step, ran);
            tell(&Trace { token: index + 1, ran, effect });
        }
        run.outputs()
    }
}

/// A conditional that is open.
struct Arm {
    /// The invocations that came to it.
    around: Lanes,
    /// The invocations that run its arm at hand.
    taken: Lanes,
}

/// Four invocations on their way.
struct Run<'a> {
    machine: &'a Machine,
    inputs: &'a Inputs<'a>,
    /// What the registers hold that the program writes.
    held: Vec<Quad>,
    /// What they held when the outermost conditional opened.
    before: Vec<Quad>,
    /// The components of them that were written.
    written: Vec<[u8; 4]>,
    arms: Vec<Arm>,
    killed: Lanes,
}

impl Run<'_> {
    /// The invocations that run the next token.
    fn going(&self) -> Lanes {
        self.arms.last().map_or([true; 4], |arm| arm.taken)
    }

    fn step(&mut self, step: &Step, ran: Lanes) -> Effect {
        match &step.act {
            Act::If(compare) => {
                let [a, b] = self.operands(step);
                let taken = std::array::from_fn(|lane| ran[lane] && compare(a[lane][0], b[lane][0]));
                if self.arms.is_empty() {
                    self.before.clone_from(&self.held);
                }
                self.arms.push(Arm { around: ran, taken });
                Effect::Goes(taken)
            }
            Act::Else => {
                if let Some(arm) = self.arms.last_mut() {
                    arm.taken = std::array::from_fn(|lane| arm.around[lane] && !arm.taken[lane]);
                }
                Effect::Goes(self.going())
            }
            Act::EndIf => {
                self.arms.pop();
                Effect::Goes(self.going())
            }
            Act::Kill => {
                let [a, _] = self.operands(step);
                for (lane, killed) in self.killed.iter_mut().enumerate() {
                    *killed |= ran[lane] && a[lane][0] < 0.0;
                }
                Effect::Killed(self.killed)
            }
            Act::Compute(_) | Act::Derivative(_) | Act::Texture(_) => self.write(step, ran),
        }
    }

    /// Computes all four components in all invocations, then writes those of the mask in those that run.
    fn write(&mut self, step: &Step, ran: Lanes) -> Effect {
        let Some(destination) = step.destination else { return Effect::Goes(ran) };
        if ran.contains(&true) {
            let result = self.result(step);
            if let Some(held) = self.held.get_mut(destination.place)
                && let Some(written) = self.written.get_mut(destination.place)
            {
                for lane in (0..4).filter(|&lane| ran[lane]) {
                    for component in destination.mask.components() {
                        held[lane][usize::from(component)] = result[lane][usize::from(component)];
                    }
                    written[lane] |= destination.mask.0;
                }
            }
        }
        let register = self.machine.decoded.held.get(destination.place);
        match register.zip(self.held.get(destination.place)) {
            Some((&(file, number), &held)) => Effect::Wrote(file, number, destination.mask, held),
            None => Effect::Goes(ran),
        }
    }

    fn result(&self, step: &Step) -> Quad {
        match &step.act {
            Act::Derivative(down) => {
                let [a, _] = self.operands(step);
                let mut result = Quad::default();
                for component in 0..4 {
                    let values = a.map(|lane| lane[component]);
                    let around = self.inputs.surroundings;
                    let changes = if *down { around.ddy(values) } else { around.ddx(values) };
                    for (lane, change) in changes.into_iter().enumerate() {
                        result[lane][component] = change;
                    }
                }
                result
            }
            Act::Texture(texture) => {
                let [a, _] = self.operands(step);
                let width = usize::from(texture.sampler.coordinate_components());
                let coordinates = a.map(|lane| std::array::from_fn(|i| if i < width { lane[i] } else { 0.0 }));
                let level = match &texture.level {
                    TextureLevel::Neighbours => LevelOf::Neighbours(coordinates),
                    TextureLevel::Before(origins) => LevelOf::Neighbours(std::array::from_fn(|lane| {
                        std::array::from_fn(|i| origins.get(i).map_or(0.0, |&origin| self.before(origin, lane)))
                    })),
                    TextureLevel::Zero => LevelOf::Given([0.0; 4]),
                    TextureLevel::Fourth => LevelOf::Given(a.map(|lane| lane[3])),
                };
                let lookup = Lookup { sampler: texture.sampler, coordinates, level, bias: texture.bias };
                let texels = self.inputs.surroundings.texels(&lookup);
                if texture.single { texels.map(|texel| [texel[0]; 4]) } else { texels }
            }
            Act::Compute(operation) => {
                let [a, b] = self.operands(step);
                let rows = |lane: usize, row: usize| match &step.sources[1] {
                    Some(source) => self.read(source, row, lane),
                    None => [0.0; 4],
                };
                std::array::from_fn(|lane| compute(*operation, a[lane], b[lane], |row| rows(lane, row)))
            }
            _ => Quad::default(),
        }
    }

    /// Both sources, as far as there are two.
    fn operands(&self, step: &Step) -> [Quad; 2] {
        [0, 1].map(|slot| match &step.sources[slot] {
            Some(source) => std::array::from_fn(|lane| self.read(source, 0, lane)),
            None => Quad::default(),
        })
    }

    /// What an invocation reads from a source, or from the register so many rows behind it.
    #[expect(clippy::cast_possible_truncation, reason = "the index is whole and held within 32 bits")]
    fn read(&self, source: &Operand, row: usize, lane: usize) -> [f32; 4] {
        let value = match source.index {
            None => self.register(source.place, row, lane),
            Some(index) => {
                let at = self.register(index.place, 0, lane)[index.component];
                let at = if self.machine.options.truncate_index { at.trunc() } else { (at + 0.5).floor() };
                // Nothing published says what an index beyond all registers is. It becomes the nearest number of 32 bits
                // that a float can be, and the sum keeps its low 32 bits, as that of PEEK in SDLSHADERBC does.
                let at = at.clamp(-2147483648.0, 2147483520.0) as i32;
                let at = at.wrapping_add(index.offset + i32::try_from(row).unwrap_or(0));
                self.register(Place::Constant(at.clamp(0, self.machine.constants - 1) as usize), 0, lane)
            }
        };
        source.swizzle.map(|component| value[component])
    }

    fn register(&self, place: Place, row: usize, lane: usize) -> [f32; 4] {
        match place {
            Place::Given(number) => self.inputs.registers.get(number + row).map_or([0.0; 4], |quad| quad[lane]),
            Place::Constant(number) => self.inputs.constants.get(number + row).copied().unwrap_or_default(),
            Place::Held(index) => self.held.get(index + row).map_or([0.0; 4], |quad| quad[lane]),
            Place::Instance => [self.inputs.instance[lane] as f32; 4],
        }
    }

    /// What a component held before the outermost conditional.
    fn before(&self, (place, component): (Place, usize), lane: usize) -> f32 {
        match place {
            Place::Held(index) => self.before.get(index).map_or(0.0, |quad| quad[lane][component]),
            place => self.register(place, 0, lane)[component],
        }
    }

    fn outputs(self) -> Outputs {
        let mut registers = Vec::new();
        for &place in &self.machine.decoded.outputs {
            let register = self.machine.decoded.held.get(place).zip(self.held.get(place)).zip(self.written.get(place));
            let Some(((&(file, number), &(mut values)), &written)) = register else { continue };
            if file == File::Depth {
                values.iter_mut().for_each(|lane| lane[0] = compute::saturate(lane[0]));
            }
            let written = written.map(Mask);
            registers.push(Output { file, number, values, written });
        }
        Outputs { registers, killed: self.killed }
    }
}
