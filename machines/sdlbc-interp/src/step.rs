//! Steps of a prepared function. They work on registers, each of which contains one component of a value in every lane.
//!
//! A step's result is never one of its operands, so that a loop over lanes reads and writes different columns. The only
//! exception is rounding, which is done in place.

use sdlbc::compute::Kernel;
use sdlbc::{Op, Sampler, Texel, Type};

use crate::{Column, LANES};

/// The number of a register. Before registers are allocated, it may be the number of a cell (`cells.rs`), marked by
/// [`Register::CELL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Register(pub(crate) u32);

impl Register {
    /// Marks the number of a cell.
    pub(crate) const CELL: u32 = 1 << 31;

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

pub(crate) type Registers = Box<[Register]>;

/// Copies the column of one register to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: Register,
    pub(crate) from: Register,
}

/// One component of a PHI after an IF.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) to: Register,
    pub(crate) accept: Register,
    pub(crate) reject: Register,
}

/// The elements of an array and the register that indexes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) index: Register,
    pub(crate) offset: u32,
    pub(crate) length: usize,
}

/// Memory that other invocations may write, or whose length is known only at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The storage buffer in a slot.
    Buffer(u32),
    /// A shared array: its first word among the words of all shared arrays, and its length.
    Shared { first: usize, length: usize },
}

/// An element of memory.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) place: Place,
    /// The index; absent for 0.
    pub(crate) index: Option<Register>,
    pub(crate) offset: u32,
    /// The registers that receive or supply the components.
    pub(crate) registers: Registers,
}

/// A texel of a storage texture.
#[derive(Clone, Debug)]
pub(crate) struct TexelOf {
    pub(crate) slot: u32,
    /// The coordinates, two or three; the layer of an array is the third.
    pub(crate) at: Registers,
    /// The registers that receive or supply the components.
    pub(crate) registers: Registers,
}

/// The immediate of a TEXTUREOFFSET, or 0.
pub(crate) type Offset = u32;

/// The source of a sample's LOD.
#[derive(Clone, Debug)]
pub(crate) enum LevelSource {
    Auto,
    Bias(Register),
    Exact(Register),
    Gradient(Registers, Registers),
}

/// The four texels that a linear filter reads, or comparisons with depths.
#[derive(Clone, Debug)]
pub(crate) struct CornersOf {
    pub(crate) to: Registers,
    pub(crate) slot: u32,
    pub(crate) sampler: Sampler,
    /// The coordinate, as for a sample.
    pub(crate) at: Registers,
    pub(crate) offset: Offset,
    pub(crate) what: Corner,
}

/// The operation on the four texels. A register contains the references of a comparison.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corner {
    Component(Texel, usize),
    Compared(Register),
    /// A filtered comparison; the bool selects an implicit level instead of the first.
    Filtered(Register, bool),
}

/// An instruction whose result was computed, for an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function's index in its module.
    pub function: usize,
    /// The instruction's number in reading order, as the verifier counts.
    pub instruction: usize,
    /// The operation of the instruction.
    pub op: Op,
    /// The type of the result.
    pub ty: Type,
    /// The slot of the texture that the instruction reads.
    pub texture: Option<u32>,
    /// The offset in texels along x, y and z (TEXTUREOFFSET).
    pub offset: [i32; 3],
}

/// A result for an observer, with its operands.
pub(crate) struct Seen {
    pub(crate) site: Site,
    pub(crate) result: Registers,
    /// The registers of the operands; empty for a texture.
    pub(crate) operands: Box<[Registers]>,
}

pub(crate) type Block = Vec<Step>;

pub(crate) enum Step {
    /// Computes a component from one operand.
    One(fn(&mut Column, &Column), Register, Register),
    /// Computes a component from two operands.
    Two(fn(&mut Column, &Column, &Column), Register, [Register; 2]),
    /// Computes a component from three operands.
    Three(fn(&mut Column, &Column, &Column, &Column), Register, [Register; 3]),
    /// Computes all components of a result from all components of the operands.
    Whole(fn(&mut [Column; 4], &[&Column]), Registers, Registers),
    /// Rounds in place, to halves or to 24-bit floats.
    Round(fn(&mut Column), Register),
    /// Reports an instruction's result to an observer.
    Result(Box<Seen>),
    /// Copies in every lane.
    Copy(Move),
    /// Copies in the active lanes only.
    Store(Move),
    /// Clears consecutive registers in every lane.
    Clear { first: Register, count: usize },
    /// Reads an element of an array of uniforms that begins at a word.
    Gather(Registers, Elements, usize),
    /// Reads an element of a local array, which is in consecutive registers.
    Load(Registers, Elements, Register),
    /// Writes an element of a local array in the active lanes.
    Scatter(Registers, Elements, Register),
    /// Reads a column of a matrix.
    Column(Registers, Elements, Registers),
    /// Samples a texture. For an array texture, the layer is the fourth component of the coordinate `at`.
    Sample { to: Registers, slot: u32, sampler: Sampler, at: Registers, offset: Offset, source: LevelSource },
    /// The four texels that a linear filter reads, or comparisons with depths.
    Corners(Box<CornersOf>),
    /// The sizes of a level of a texture.
    Size { to: Registers, slot: u32, level: Register },
    /// Fetches a texel. The coordinate `at` is followed by the layer of an array texture.
    Fetch { to: Registers, slot: u32, texel: Texel, at: Registers, offset: Offset, level: Register },
    /// Reads an element of memory.
    Read(Box<Element>),
    /// Writes an element of memory in the active lanes.
    Write(Box<Element>),
    /// The number of elements, of `width` components, of a storage buffer.
    Count { to: Register, slot: u32, width: usize },
    /// Reads a texel of a storage texture.
    ReadTexel(Box<TexelOf>),
    /// Writes a texel of a storage texture in the active lanes.
    WriteTexel(Box<TexelOf>),
    /// The sizes of a storage texture.
    Sizes { to: Registers, slot: u32 },
    /// The point at which the invocations of a workgroup wait for each other.
    Barrier,
    /// An IF with the PHIs after it.
    If { condition: Register, accept: Block, reject: Block, joins: Box<[Join]> },
    /// A LOOP. `entry` and `back` set the PHIs at its head, before the first and before each further iteration.
    Loop { entry: Box<[Move]>, body: Block, back: Box<[Move]> },
    /// A SWITCH.
    Switch { selector: Register, cases: Box<[(u32, Block)]>, otherwise: Block },
    /// Leaves the innermost LOOP or SWITCH.
    Break,
    /// Leaves the current iteration of the innermost LOOP.
    Continue,
    /// Discards. `leaves` is true if the invocation leaves the function, as it does inside loops, switches and calls.
    Discard { leaves: bool },
    /// Sets the result and leaves the function.
    Return(Box<[Move]>),
    /// Calls a function, by its index in the module.
    Call { function: usize, arguments: Box<[Move]>, results: Box<[Move]> },
}

impl Step {
    /// Returns the step that runs a kernel on components.
    pub(crate) fn of(kernel: Kernel<LANES>, to: Register, from: &[Register]) -> Option<Step> {
        Some(match (kernel, from) {
            (Kernel::One(f), &[a]) => Step::One(f, to, a),
            (Kernel::Two(f) | Kernel::Fold(f), &[a, b]) => Step::Two(f, to, [a, b]),
            (Kernel::Three(f), &[a, b, c]) => Step::Three(f, to, [a, b, c]),
            _ => return None,
        })
    }

    /// Whether the step contains a barrier.
    pub(crate) fn has_barrier(&self) -> bool {
        let any = |block: &Block| block.iter().any(Step::has_barrier);
        match self {
            Step::Barrier => true,
            Step::If { accept, reject, .. } => any(accept) || any(reject),
            Step::Loop { body, .. } => any(body),
            Step::Switch { cases, otherwise, .. } => cases.iter().any(|(_, block)| any(block)) || any(otherwise),
            _ => false,
        }
    }

    /// Calls `f` with every register of the step and of its blocks.
    pub(crate) fn each_register(&mut self, f: &mut dyn FnMut(&mut Register)) {
        let moves = |moves: &mut [Move], f: &mut dyn FnMut(&mut Register)| {
            for Move { to, from } in moves {
                f(to);
                f(from);
            }
        };
        match self {
            Step::One(_, to, a) => [to, a].into_iter().for_each(f),
            Step::Two(_, to, [a, b]) => [to, a, b].into_iter().for_each(f),
            Step::Three(_, to, [a, b, c]) => [to, a, b, c].into_iter().for_each(f),
            Step::Whole(_, to, from) => to.iter_mut().chain(from).for_each(f),
            Step::Round(_, one) => f(one),
            Step::Result(seen) => seen.result.iter_mut().chain(seen.operands.iter_mut().flatten()).for_each(f),
            Step::Copy(Move { to, from }) | Step::Store(Move { to, from }) => [to, from].into_iter().for_each(f),
            Step::Gather(these, elements, _) | Step::Load(these, elements, _) | Step::Scatter(these, elements, _) => {
                these.iter_mut().chain([&mut elements.index]).for_each(f);
            }
            Step::Column(to, elements, from) => {
                to.iter_mut().chain([&mut elements.index]).chain(from).for_each(f);
            }
            Step::Sample { to, at, source, .. } => {
                to.iter_mut().chain(at).for_each(&mut *f);
                match source {
                    LevelSource::Auto => {}
                    LevelSource::Bias(level) | LevelSource::Exact(level) => f(level),
                    LevelSource::Gradient(x, y) => x.iter_mut().chain(y).for_each(f),
                }
            }
            Step::Corners(corners) => {
                corners.to.iter_mut().chain(&mut corners.at).for_each(&mut *f);
                match &mut corners.what {
                    Corner::Component(..) => {}
                    Corner::Compared(reference) | Corner::Filtered(reference, _) => f(reference),
                }
            }
            Step::Size { to, level, .. } => to.iter_mut().chain([level]).for_each(f),
            Step::Fetch { to, at, level, .. } => to.iter_mut().chain(at).chain([level]).for_each(f),
            Step::Read(element) | Step::Write(element) => {
                element.registers.iter_mut().chain(&mut element.index).for_each(f);
            }
            Step::Count { to, .. } => f(to),
            Step::ReadTexel(texel) | Step::WriteTexel(texel) => {
                texel.registers.iter_mut().chain(&mut texel.at).for_each(f);
            }
            Step::Sizes { to, .. } => to.iter_mut().for_each(f),
            Step::If { condition, accept, reject, joins } => {
                f(condition);
                each_register(accept, f);
                each_register(reject, f);
                for Join { to, accept, reject } in joins {
                    [to, accept, reject].into_iter().for_each(&mut *f);
                }
            }
            Step::Loop { entry, body, back } => {
                moves(entry, f);
                each_register(body, f);
                moves(back, f);
            }
            Step::Switch { selector, cases, otherwise } => {
                f(selector);
                cases.iter_mut().for_each(|(_, block)| each_register(block, f));
                each_register(otherwise, f);
            }
            Step::Clear { .. } | Step::Barrier | Step::Break | Step::Continue | Step::Discard { .. } => {}
            Step::Return(values) => moves(values, f),
            Step::Call { arguments, results, .. } => {
                moves(arguments, f);
                moves(results, f);
            }
        }
    }
}

/// Calls `f` with every register of a block.
pub(crate) fn each_register(block: &mut [Step], f: &mut dyn FnMut(&mut Register)) {
    block.iter_mut().for_each(|step| step.each_register(f));
}
