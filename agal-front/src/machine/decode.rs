//! A program's tokens as steps: what each opcode takes, and which registers there are.
//!
//! The numbers and operands are those of Adobe's published bytecode format, and are stated here anew.

use sdlbc::limits::NESTING;

use super::compute::{Operation, power, saturate, sign, truth};
use super::{Error, ErrorKind, Options};
use crate::program::Program;
use crate::register::{File, Stage};
use crate::token::{Mask, Sampler, Source, Token};

/// A program as steps.
#[derive(Clone, Debug)]
pub(super) struct Decoded {
    pub(super) steps: Vec<Step>,
    /// The registers that the program can write, by their place.
    pub(super) held: Vec<(File, u32)>,
    /// The places of the output registers that some step writes.
    pub(super) outputs: Vec<usize>,
}

/// A token.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) act: Act,
    pub(super) destination: Option<Destination>,
    pub(super) sources: [Option<Operand>; 2],
}

/// What a token does.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Compute(Operation),
    /// How a value changes to the right, or downward.
    Derivative(bool),
    Texture(Texture),
    If(fn(f32, f32) -> bool),
    Else,
    EndIf,
    Kill,
}

/// What a texture opcode reads.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    /// The state of the sampler.
    pub(super) sampler: Sampler,
    pub(super) bias: f32,
    /// The first component is given to all.
    pub(super) single: bool,
    pub(super) level: TextureLevel,
}

/// Where a texture opcode's level comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TextureLevel {
    /// How the coordinate differs between the invocations.
    Neighbours,
    /// The same of what these components held before the outermost conditional opened, which is the coordinate now.
    Before(Vec<(Place, usize)>),
    Zero,
    /// The fourth component of the coordinate.
    Fourth,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Destination {
    pub(super) place: usize,
    pub(super) mask: Mask,
}

/// A source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) place: Place,
    pub(super) swizzle: [usize; 4],
    pub(super) index: Option<Index>,
}

/// What the number of a constant is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Index {
    pub(super) place: Place,
    pub(super) component: usize,
    pub(super) offset: i32,
}

/// Where a register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An attribute or a varying that is read.
    Given(usize),
    Constant(usize),
    /// A register that the program writes.
    Held(usize),
    Instance,
}

/// What stands in a token.
enum Shape {
    /// Operands and a result.
    Result(Act, usize),
    /// The same with a matrix for the second operand.
    Matrix(u8, u8),
    /// A coordinate, a sampler and a result.
    Texture,
    /// Operands alone.
    Effect(Act, usize),
}

/// Operand counts and meanings by number.
fn shape(code: u32, options: Options) -> Option<Shape> {
    let one = |of: fn(f32) -> f32| Some(Shape::Result(Act::Compute(Operation::Unary(of)), 1));
    let two = |of: fn(f32, f32) -> f32| Some(Shape::Result(Act::Compute(Operation::Binary(of)), 2));
    let whole = |operation, sources| Some(Shape::Result(Act::Compute(operation), sources));
    let opens = |compare: fn(f32, f32) -> bool| Some(Shape::Effect(Act::If(compare), 2));
    match code {
        0x00 => whole(Operation::Copy, 1),
        0x01 => two(|a, b| a + b),
        0x02 => two(|a, b| a - b),
        0x03 => two(|a, b| a * b),
        0x04 => two(|a, b| a / b),
        0x05 => one(|a| 1.0 / a),
        0x06 => two(f32::min),
        0x07 => two(f32::max),
        0x08 => one(|a| a - a.floor()),
        0x09 => one(|a| a.abs().sqrt()),
        0x0a => one(|a| 1.0 / a.abs().sqrt()),
        0x0b => two(power),
        0x0c => one(|a| libm::log2f(a.abs())),
        0x0d => one(libm::exp2f),
        0x0e => whole(Operation::Normalize, 1),
        0x0f => one(libm::sinf),
        0x10 => one(libm::cosf),
        0x11 => whole(Operation::Cross, 2),
        0x12 => whole(Operation::Dot(3), 2),
        0x13 => whole(Operation::Dot(4), 2),
        0x14 => one(f32::abs),
        0x15 => one(|a| -a),
        0x16 => one(saturate),
        0x17 => Some(Shape::Matrix(3, 3)),
        0x18 => Some(Shape::Matrix(4, 4)),
        0x19 => Some(Shape::Matrix(3, 4)),
        0x1a => Some(Shape::Result(Act::Derivative(false), 1)),
        0x1b => Some(Shape::Result(Act::Derivative(true), 1)),
        0x1c => opens(|a, b| a == b),
        0x1d => opens(|a, b| a != b),
        0x1e if options.strict_ifg => opens(|a, b| a > b),
        0x1e => opens(|a, b| a >= b),
        0x1f => opens(|a, b| a < b),
        0x20 => Some(Shape::Effect(Act::Else, 0)),
        0x21 => Some(Shape::Effect(Act::EndIf, 0)),
        0x26 | 0x28 | 0x2e => Some(Shape::Texture),
        0x27 => Some(Shape::Effect(Act::Kill, 1)),
        0x29 => two(|a, b| truth(a >= b)),
        0x2a => two(|a, b| truth(a < b)),
        0x2b => one(sign),
        0x2c => two(|a, b| truth(a == b)),
        0x2d => two(|a, b| truth(a != b)),
        _ => None,
    }
}

/// The stage that an opcode belongs to, if it is of one alone.
fn stage(code: u32) -> Option<Stage> {
    match code {
        0x1a | 0x1b | 0x26..=0x28 => Some(Stage::Fragment),
        0x2e => Some(Stage::Vertex),
        _ => None,
    }
}

/// Decodes all tokens.
pub(super) fn decode(program: &Program, options: Options) -> Result<Decoded, Error> {
    let files: &[File] = match program.stage {
        Stage::Vertex => &[File::Temporary, File::Output, File::Varying],
        Stage::Fragment => &[File::Temporary, File::Output, File::Depth],
    };
    let counted = |&file: &File| (0..file.count(program.stage, program.version)).map(move |number| (file, number));
    let held: Vec<(File, u32)> = files.iter().flat_map(counted).collect();
    let mut decoder = Decoder { program, options, held, samplers: Vec::new(), open: Vec::new() };
    let mut steps = Vec::with_capacity(program.tokens.len());
    for (index, token) in program.tokens.iter().enumerate() {
        steps.push(decoder.step(index, token).map_err(|kind| Error { token: index + 1, kind })?);
    }
    if let Some(&(opened, _)) = decoder.open.last() {
        return Err(Error { token: opened + 1, kind: ErrorKind::Unclosed });
    }
    let is_output = |place: &usize| decoder.held.get(*place).is_some_and(|(file, _)| *file != File::Temporary);
    let written = steps.iter().filter_map(|step| Some(step.destination?.place));
    let mut outputs: Vec<usize> = written.filter(is_output).collect();
    outputs.sort_unstable();
    outputs.dedup();
    Ok(Decoded { steps, held: decoder.held, outputs })
}

struct Decoder<'a> {
    program: &'a Program,
    options: Options,
    held: Vec<(File, u32)>,
    /// The first use of each sampler.
    samplers: Vec<Sampler>,
    /// The conditionals that are open, by their token, and whether they have come to their `els`.
    open: Vec<(usize, bool)>,
}

impl Decoder<'_> {
    fn step(&mut self, index: usize, token: &Token) -> Result<Step, ErrorKind> {
        let shape = shape(token.opcode, self.options).ok_or(ErrorKind::Opcode(token.opcode))?;
        if stage(token.opcode).is_some_and(|only| only != self.program.stage) {
            return Err(ErrorKind::OtherStage(token.opcode));
        }
        match shape {
            Shape::Effect(act, sources) => {
                self.nest(&act, index)?;
                Ok(Step { act, destination: None, sources: self.operands(token, sources)? })
            }
            Shape::Result(act, sources) => {
                let width = if let Act::Compute(operation) = act { operation.width() } else { 4 };
                let destination = Some(self.destination(token, width)?);
                Ok(Step { act, destination, sources: self.operands(token, sources)? })
            }
            Shape::Matrix(rows, width) => {
                let act = Act::Compute(Operation::Rows(usize::from(rows), usize::from(width)));
                let destination = Some(self.destination(token, rows)?);
                let sources = [self.operand(token.src(0), 1)?, self.operand(token.src(1), u32::from(rows))?].map(Some);
                Ok(Step { act, destination, sources })
            }
            Shape::Texture => {
                let destination = Some(self.destination(token, 4)?);
                let coordinate = self.operand(token.src(0), 1)?;
                let act = Act::Texture(self.texture(token));
                Ok(Step { act, destination, sources: [Some(coordinate), None] })
            }
        }
    }

    /// Keeps count of the conditionals.
    fn nest(&mut self, act: &Act, index: usize) -> Result<(), ErrorKind> {
        match act {
            Act::If(_) if self.open.len() >= NESTING => return Err(ErrorKind::Nesting),
            Act::If(_) => self.open.push((index, false)),
            Act::Else => match self.open.last_mut() {
                Some((_, turned @ false)) => *turned = true,
                _ => return Err(ErrorKind::Else),
            },
            Act::EndIf => drop(self.open.pop().ok_or(ErrorKind::EndIf)?),
            _ => {}
        }
        Ok(())
    }

    fn destination(&self, token: &Token, width: u8) -> Result<Destination, ErrorKind> {
        let destination = token.dst();
        let number = u32::from(destination.number);
        let register = destination.register_file().map(|file| (file, number));
        let place = self.held.iter().position(|&held| Some(held) == register);
        let place = place.ok_or(ErrorKind::Destination(destination.file, number))?;
        Ok(Destination { place, mask: Mask(destination.mask.0 & ((1 << width) - 1)) })
    }

    fn operands(&self, token: &Token, count: usize) -> Result<[Option<Operand>; 2], ErrorKind> {
        let mut operands = [None; 2];
        for (slot, operand) in operands.iter_mut().enumerate().take(count) {
            *operand = Some(self.operand(token.src(slot), 1)?);
        }
        Ok(operands)
    }

    /// A source of so many registers in a row.
    fn operand(&self, source: Source, rows: u32) -> Result<Operand, ErrorKind> {
        let swizzle = [0, 1, 2, 3].map(|slot| usize::from(source.swizzle.component(slot)));
        let number = u32::from(source.number);
        if !source.indirect {
            return Ok(Operand { place: self.readable(source.file, number, rows)?, swizzle, index: None });
        }
        if self.program.stage != Stage::Vertex || source.file != File::Constant as u8 {
            return Err(ErrorKind::Index);
        }
        let offset = match self.options.signed_offset {
            true => i32::from(source.offset as i8),
            false => i32::from(source.offset),
        };
        let component = usize::from(source.index_component & 3);
        let index = Index { place: self.readable(source.index_file, number, 1)?, component, offset };
        Ok(Operand { place: Place::Constant(0), swizzle, index: Some(index) })
    }

    /// Where registers are that are read, if they can be.
    fn readable(&self, file: u8, number: u32, rows: u32) -> Result<Place, ErrorKind> {
        let Program { stage, version, .. } = *self.program;
        let there = |file: File| number + rows <= file.count(stage, version);
        let place = number as usize;
        match (File::from_number(file), stage) {
            (Some(File::Attribute), Stage::Vertex) if there(File::Attribute) => Ok(Place::Given(place)),
            (Some(File::Varying), Stage::Fragment) if there(File::Varying) => Ok(Place::Given(place)),
            (Some(File::Constant), _) if there(File::Constant) => Ok(Place::Constant(place)),
            // Temporaries come first among the registers that are held.
            (Some(File::Temporary), _) if there(File::Temporary) => Ok(Place::Held(place)),
            (Some(File::Instance), Stage::Vertex) if there(File::Instance) => Ok(Place::Instance),
            _ => Err(ErrorKind::Source(file, number)),
        }
    }

    /// What a texture opcode reads. A sampler has one state, which is that of its first use.
    fn texture(&mut self, token: &Token) -> Texture {
        let here = token.sampler();
        let first = self.samplers.iter().find(|sampler| sampler.number == here.number).copied();
        let sampler = first.unwrap_or_else(|| {
            self.samplers.push(here);
            here
        });
        let swizzle = token.src(0).swizzle;
        let level = match token.opcode {
            0x28 => TextureLevel::Neighbours,
            // The coordinate brings a level unless its fourth letter only repeats the third.
            0x26 if swizzle.component(3) != swizzle.component(2) => TextureLevel::Fourth,
            _ => TextureLevel::Zero,
        };
        let single = here.special & Sampler::SINGLE != 0;
        Texture { sampler, bias: f32::from(here.bias) / 8.0, single, level }
    }
}
