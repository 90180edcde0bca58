//! Decodes a program's tokens into steps, and rejects undefined opcodes and registers. This module restates the opcode numbers
//! and operands from Adobe's published bytecode format.

use agal_front::program::Program;
use agal_front::register::{File, Stage};
use agal_front::token::{Mask, Sampler, Source, Token};

use super::compute::{Operation, power, saturate, sign, truth};
use super::float::Float;
use super::{Error, ErrorKind, NESTING, Options};

#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub(super) steps: Vec<Step>,
    /// The file and number of each register that the program can write. Steps refer to a register by its index in `writable`.
    pub(super) writable: Vec<(File, u32)>,
    /// The output registers that at least one step writes, as indices in `writable`.
    pub(super) outputs: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) action: Action,
    pub(super) destination: Option<Destination>,
    pub(super) sources: [Option<Operand>; 2],
}

#[derive(Clone, Debug)]
pub(super) enum Action {
    Compute(Operation),
    /// A derivative, which is vertical if the flag is true and horizontal otherwise.
    Derivative(bool),
    Texture(TextureLookup),
    If(fn(f32, f32) -> bool),
    Else,
    EndIf,
    Kill,
}

#[derive(Clone, Debug)]
pub(super) struct TextureLookup {
    /// The sampler's state, which the first token with this sampler determines.
    pub(super) sampler: Sampler,
    pub(super) bias: f32,
    /// Whether the texel's first component is copied to all four components.
    pub(super) single: bool,
    pub(super) level: TextureLevel,
}

/// The source of a texture opcode's level of detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextureLevel {
    /// Computed from the coordinate's differences between neighbouring invocations.
    Implicit,
    /// Computed from the values that the given register components had on entry to the outermost conditional.
    ImplicitBefore(Vec<(Register, usize)>),
    Zero,
    FourthComponent,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    /// The register's index in [`Decoded::writable`].
    pub(super) register: usize,
    pub(super) mask: Mask,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) register: Register,
    pub(super) swizzle: [usize; 4],
    pub(super) index: Option<Index>,
}

/// The index of an indirectly read constant: the sum of a register's component and an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    pub(super) register: Register,
    pub(super) component: usize,
    pub(super) offset: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// The number of an attribute or varying.
    Input(usize),
    /// The number of a constant.
    Constant(usize),
    /// The index in [`Decoded::writable`] of a register that the program can write.
    Writable(usize),
    Instance,
}

/// The operands that an opcode takes.
enum Shape {
    /// A destination and the given number of sources.
    Result(Action, usize),
    /// A destination, a coordinate and a sampler.
    Texture,
    /// The given number of sources and no destination.
    Effect(Action, usize),
}

/// Returns the operands and the action of an opcode; `None` if the opcode is undefined.
fn shape(code: u32, options: Options) -> Option<Shape> {
    let whole = |operation, sources| Some(Shape::Result(Action::Compute(operation), sources));
    let one = |of: fn(Float, f32) -> f32| whole(Operation::Unary(of), 1);
    let two = |of: fn(Float, f32, f32) -> f32| whole(Operation::Binary(of), 2);
    let opens = |compare: fn(f32, f32) -> bool| Some(Shape::Effect(Action::If(compare), 2));
    match code {
        0x00 => whole(Operation::Copy, 1),
        0x01 => two(Float::add),
        0x02 => two(Float::subtract),
        0x03 => two(Float::multiply),
        0x04 => two(Float::divide),
        0x05 => one(|float, a| float.divide(1.0, a)),
        0x06 => two(|_, a, b| a.min(b)),
        0x07 => two(|_, a, b| a.max(b)),
        0x08 => one(|float, a| float.subtract(a, a.floor())),
        0x09 => one(|float, a| float.root(a.abs())),
        0x0a => one(|float, a| float.divide(1.0, float.root(a.abs()))),
        0x0b => two(|float, a, b| float.of(power(a, b))),
        0x0c => one(|float, a| float.of(libm::log2f(a.abs()))),
        0x0d => one(|float, a| float.of(libm::exp2f(a))),
        0x0e => whole(Operation::Normalize, 1),
        0x0f => one(|float, a| float.of(libm::sinf(a))),
        0x10 => one(|float, a| float.of(libm::cosf(a))),
        0x11 => whole(Operation::Cross, 2),
        0x12 => whole(Operation::Dot(3), 2),
        0x13 => whole(Operation::Dot(4), 2),
        0x14 => one(|_, a| a.abs()),
        0x15 => one(|_, a| -a),
        0x16 => one(|_, a| saturate(a)),
        0x17 => whole(Operation::Rows(3, 3), 2),
        0x18 => whole(Operation::Rows(4, 4), 2),
        0x19 => whole(Operation::Rows(3, 4), 2),
        0x1a => Some(Shape::Result(Action::Derivative(false), 1)),
        0x1b => Some(Shape::Result(Action::Derivative(true), 1)),
        0x1c => opens(|a, b| a == b),
        0x1d => opens(|a, b| a != b),
        0x1e if options.strict_ifg => opens(|a, b| a > b),
        0x1e => opens(|a, b| a >= b),
        0x1f => opens(|a, b| a < b),
        0x20 => Some(Shape::Effect(Action::Else, 0)),
        0x21 => Some(Shape::Effect(Action::EndIf, 0)),
        0x26 | 0x28 | 0x2e => Some(Shape::Texture),
        0x27 => Some(Shape::Effect(Action::Kill, 1)),
        0x29 => two(|_, a, b| truth(a >= b)),
        0x2a => two(|_, a, b| truth(a < b)),
        0x2b => one(|_, a| sign(a)),
        0x2c => two(|_, a, b| truth(a == b)),
        0x2d => two(|_, a, b| truth(a != b)),
        _ => None,
    }
}

/// Returns the only stage that has the opcode; `None` if both stages have the opcode.
fn stage(code: u32) -> Option<Stage> {
    match code {
        0x1a | 0x1b | 0x26..=0x28 => Some(Stage::Fragment),
        0x2e => Some(Stage::Vertex),
        _ => None,
    }
}

pub(super) fn decode(program: &Program, options: Options) -> Result<Decoded, Error> {
    let files: &[File] = match program.stage {
        Stage::Vertex => &[File::Temporary, File::Output, File::Varying],
        Stage::Fragment => &[File::Temporary, File::Output, File::Depth],
    };
    let counted = |&file: &File| (0..file.count(program.stage, program.version)).map(move |number| (file, number));
    let writable: Vec<(File, u32)> = files.iter().flat_map(counted).collect();
    let mut decoder = Decoder { program, options, writable, samplers: Vec::new(), open: Vec::new() };
    let mut steps = Vec::with_capacity(program.tokens.len());
    for (index, token) in program.tokens.iter().enumerate() {
        steps.push(decoder.step(index, token).map_err(|kind| Error { token: index + 1, kind })?);
    }
    if let Some(&(opened, _)) = decoder.open.last() {
        return Err(Error { token: opened + 1, kind: ErrorKind::Unclosed });
    }
    let is_output = |index: &usize| decoder.writable.get(*index).is_some_and(|(file, _)| *file != File::Temporary);
    let written = steps.iter().filter_map(|step| Some(step.destination?.register));
    let mut outputs: Vec<usize> = written.filter(is_output).collect();
    outputs.sort_unstable();
    outputs.dedup();
    Ok(Decoded { steps, writable: decoder.writable, outputs })
}

struct Decoder<'a> {
    program: &'a Program,
    options: Options,
    writable: Vec<(File, u32)>,
    /// The sampler operand of each sampler's first use.
    samplers: Vec<Sampler>,
    /// For each open conditional, the index of its token and whether its `els` was seen.
    open: Vec<(usize, bool)>,
}

impl Decoder<'_> {
    fn step(&mut self, index: usize, token: &Token) -> Result<Step, ErrorKind> {
        let shape = shape(token.opcode, self.options).ok_or(ErrorKind::Opcode(token.opcode))?;
        if stage(token.opcode).is_some_and(|only| only != self.program.stage) {
            return Err(ErrorKind::OtherStage(token.opcode));
        }
        match shape {
            Shape::Effect(action, sources) => {
                self.nest(&action, index)?;
                let sources = self.sources(token, &action, sources)?;
                Ok(Step { action, destination: None, sources })
            }
            Shape::Result(action, sources) => {
                let width = if let Action::Compute(operation) = action { operation.width() } else { 4 };
                let destination = Some(self.destination(token, width)?);
                let sources = self.sources(token, &action, sources)?;
                Ok(Step { action, destination, sources })
            }
            Shape::Texture => {
                let destination = Some(self.destination(token, 4)?);
                let coordinate = self.source(token.src(0), 1)?;
                let action = Action::Texture(self.texture(token));
                Ok(Step { action, destination, sources: [Some(coordinate), None] })
            }
        }
    }

    /// Updates the list of open conditionals for the token at `index`.
    fn nest(&mut self, action: &Action, index: usize) -> Result<(), ErrorKind> {
        match action {
            Action::If(_) if self.open.len() >= NESTING => return Err(ErrorKind::Nesting),
            Action::If(_) => self.open.push((index, false)),
            Action::Else => match self.open.last_mut() {
                Some((_, has_else @ false)) => *has_else = true,
                _ => return Err(ErrorKind::Else),
            },
            Action::EndIf => drop(self.open.pop().ok_or(ErrorKind::EndIf)?),
            _ => {}
        }
        Ok(())
    }

    fn destination(&self, token: &Token, width: u8) -> Result<Destination, ErrorKind> {
        let destination = token.dst();
        let number = u32::from(destination.number);
        let register = destination.register_file().map(|file| (file, number));
        let index = self.writable.iter().position(|&writable| Some(writable) == register);
        let index = index.ok_or(ErrorKind::Destination(destination.file, number))?;
        Ok(Destination { register: index, mask: Mask(destination.mask.0 & ((1 << width) - 1)) })
    }

    /// Decodes the first `count` sources of a token. The second source of a matrix product is the matrix, which has one register
    /// per row.
    fn sources(&self, token: &Token, action: &Action, count: usize) -> Result<[Option<Operand>; 2], ErrorKind> {
        let mut operands = [None; 2];
        for (slot, operand) in operands.iter_mut().enumerate().take(count) {
            let rows = match action {
                Action::Compute(Operation::Rows(rows, _)) if slot == 1 => u32::from(*rows),
                _ => 1,
            };
            *operand = Some(self.source(token.src(slot), rows)?);
        }
        Ok(operands)
    }

    /// Decodes a source that reads `rows` consecutive registers.
    fn source(&self, source: Source, rows: u32) -> Result<Operand, ErrorKind> {
        let swizzle = [0, 1, 2, 3].map(|slot| usize::from(source.swizzle.component(slot)));
        let number = u32::from(source.number);
        if !source.indirect {
            return Ok(Operand { register: self.readable(source.file, number, rows)?, swizzle, index: None });
        }
        if self.program.stage != Stage::Vertex || source.file != File::Constant as u8 {
            return Err(ErrorKind::Index);
        }
        let offset = if self.options.signed_offset { (source.offset as i8).into() } else { i32::from(source.offset) };
        let component = usize::from(source.index_component & 3);
        let index = Index { register: self.readable(source.index_file, number, 1)?, component, offset };
        Ok(Operand { register: Register::Constant(0), swizzle, index: Some(index) })
    }

    /// Returns the first of `rows` consecutive registers, or an error if the stage cannot read all of them.
    fn readable(&self, file: u8, number: u32, rows: u32) -> Result<Register, ErrorKind> {
        let Program { stage, version, .. } = *self.program;
        let exists = |file: &File| number + rows <= file.count(stage, version);
        let at = number as usize;
        match (File::from_number(file).filter(exists), stage) {
            (Some(File::Attribute), Stage::Vertex) | (Some(File::Varying), Stage::Fragment) => Ok(Register::Input(at)),
            (Some(File::Constant), _) => Ok(Register::Constant(at)),
            // Temporaries come first in the list of writable registers, so their numbers are also their indices.
            (Some(File::Temporary), _) => Ok(Register::Writable(at)),
            (Some(File::Instance), Stage::Vertex) => Ok(Register::Instance),
            _ => Err(ErrorKind::Source(file, number)),
        }
    }

    /// Decodes the lookup of a texture opcode. The first token that uses a sampler determines the sampler's state.
    fn texture(&mut self, token: &Token) -> TextureLookup {
        let here = token.sampler();
        let first = self.samplers.iter().find(|sampler| sampler.number == here.number).copied();
        let sampler = first.unwrap_or_else(|| {
            self.samplers.push(here);
            here
        });
        let swizzle = token.src(0).swizzle;
        let level = match token.opcode {
            0x28 => TextureLevel::Implicit,
            // `ted` reads the level from the coordinate's fourth component. If the swizzle's fourth component repeats the third,
            // the level is 0.
            0x26 if swizzle.component(3) != swizzle.component(2) => TextureLevel::FourthComponent,
            _ => TextureLevel::Zero,
        };
        let single = here.special & Sampler::SINGLE != 0;
        TextureLookup { sampler, bias: f32::from(here.bias) / 8.0, single, level }
    }
}
