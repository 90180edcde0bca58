//! The steps of a prepared function operate on registers. A register contains one component of a value in every lane.
//!
//! The result register of a step is never one of the step's operands, so that a loop over the lanes reads and writes different
//! columns. The only exception is rounding, which is done in place.

use sdlbc::compute::Kernel;
use sdlbc::{Op, Sampler, Texel, Type};

use crate::{Column, LANES};

/// A register's index. Before registers are allocated, an index marked by [`Register::CELL`] is the number of a cell
/// (`cells.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Register(pub(crate) u32);

impl Register {
    pub(crate) const CELL: u32 = 1 << 31;

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

pub(crate) type Registers = Box<[Register]>;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) to: Register,
    pub(crate) from: Register,
}

/// One component of a PHI after an IF, with its source register in each branch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Join {
    pub(crate) to: Register,
    pub(crate) accept: Register,
    pub(crate) reject: Register,
}

/// An indexed access to an array: the register that contains the index, a constant offset, and the array's length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elements {
    pub(crate) index: Register,
    pub(crate) offset: u32,
    pub(crate) length: usize,
}

/// Memory that other invocations may write, or whose length is known only at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The storage buffer bound to a slot.
    Buffer(u32),
    /// A shared array: the index of its first word in the workgroup's shared memory, and its number of elements.
    Shared { first: usize, length: usize },
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) place: Place,
    /// The register that contains the index; `None` means index 0.
    pub(crate) index: Option<Register>,
    pub(crate) offset: u32,
    /// The registers that receive the loaded components or contain the components to store.
    pub(crate) registers: Registers,
}

/// An atomic operation on an element of memory.
#[derive(Clone, Debug)]
pub(crate) struct Atomic {
    pub(crate) op: Op,
    /// Whether the elements are ints, which are compared as signed numbers.
    pub(crate) is_signed: bool,
    pub(crate) place: Place,
    /// The register that contains the index; `None` means index 0.
    pub(crate) index: Option<Register>,
    pub(crate) offset: u32,
    /// The register of the operand or, for a comparison, the registers of the comparator and of the new value.
    pub(crate) values: Registers,
    /// The register that receives the element's value before the operation.
    pub(crate) to: Register,
}

impl Atomic {
    /// Returns the new value of an element that contains `old`. `value` returns the value of an operand.
    pub(crate) fn changed(&self, old: u32, value: impl Fn(usize) -> u32) -> u32 {
        let (first, is_signed) = (value(0), self.is_signed);
        let is_less = if is_signed { old.cast_signed() < first.cast_signed() } else { old < first };
        match self.op {
            Op::AtomicAdd => old.wrapping_add(first),
            Op::AtomicMin => {
                if is_less {
                    old
                } else {
                    first
                }
            }
            Op::AtomicMax => {
                if is_less {
                    first
                } else {
                    old
                }
            }
            Op::AtomicAnd => old & first,
            Op::AtomicOr => old | first,
            Op::AtomicXor => old ^ first,
            Op::AtomicCompareExchange if old == first => value(1),
            Op::AtomicCompareExchange => old,
            _ => first,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TexelOf {
    pub(crate) slot: u32,
    /// Two or three coordinates. For an array texture, the third coordinate is the layer.
    pub(crate) at: Registers,
    /// The registers that receive the loaded components or contain the components to store.
    pub(crate) registers: Registers,
}

/// The immediate operand of TEXTUREOFFSET, or 0 if a sample has no offset.
pub(crate) type Offset = u32;

#[derive(Clone, Debug)]
pub(crate) enum LevelSource {
    Auto,
    Bias(Register),
    Exact(Register),
    Gradient(Registers, Registers),
}

/// A gather of the four texels that a linear filter reads, or a comparison of these texels with a reference depth.
#[derive(Clone, Debug)]
pub(crate) struct CornersOf {
    pub(crate) to: Registers,
    pub(crate) slot: u32,
    pub(crate) sampler: Sampler,
    /// The coordinate, in the form that [`Step::Sample`] uses.
    pub(crate) at: Registers,
    pub(crate) offset: Offset,
    pub(crate) what: Corner,
}

/// The operation on the four texels. A comparison reads its reference depth from a register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corner {
    Component(Texel, usize),
    Compared(Register),
    /// A filtered comparison. The bool selects the implicit mip level (true) or the first level (false).
    Filtered(Register, bool),
}

/// The instruction that computed an observed result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The function's index in its module.
    pub function: usize,
    /// The instruction's number in reading order, as the verifier counts instructions.
    pub instruction: usize,
    /// The instruction's operation.
    pub op: Op,
    /// The type of the instruction's result.
    pub ty: Type,
    /// The slot of the texture that the instruction reads; `None` if the instruction reads no texture.
    pub texture: Option<u32>,
    /// The offset in texels along x, y and z that TEXTUREOFFSET adds to the coordinate.
    pub offset: [i32; 3],
}

/// The registers of an observed result and of its operands.
pub(crate) struct Seen {
    pub(crate) site: Site,
    pub(crate) result: Registers,
    /// The registers of each operand. A texture operand has no registers.
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
    /// Computes all components of a result from all components of its operands.
    Whole(fn(&mut [Column; 4], &[&Column]), Registers, Registers),
    /// Rounds a register in place, to halves or to 24-bit floats.
    Round(fn(&mut Column), Register),
    /// Reports an instruction's result to an observer.
    Result(Box<Seen>),
    /// Copies a register in every lane.
    Copy(Move),
    /// Copies a register in the active lanes only.
    Store(Move),
    /// Clears consecutive registers in every lane.
    Clear { first: Register, count: usize },
    /// Reads an element of a uniform array. The last field is the index of the array's first word.
    Gather(Registers, Elements, usize),
    /// Reads an element of a local array, which occupies consecutive registers.
    Load(Registers, Elements, Register),
    /// Writes an element of a local array in the active lanes.
    Scatter(Registers, Elements, Register),
    /// Reads an indexed column of a matrix.
    Column(Registers, Elements, Registers),
    /// Samples a texture. For an array texture, the fourth component of `at` is the layer.
    Sample { to: Registers, slot: u32, sampler: Sampler, at: Registers, offset: Offset, source: LevelSource },
    /// Gathers the four texels that a linear filter reads, or compares them with a reference depth.
    Corners(Box<CornersOf>),
    /// Reads the size of a texture's mip level.
    Size { to: Registers, slot: u32, level: Register },
    /// Fetches a texel. For an array texture, `at` contains the coordinate followed by the layer.
    Fetch { to: Registers, slot: u32, texel: Texel, at: Registers, offset: Offset, level: Register },
    /// Reads an element of a storage buffer or shared array.
    Read(Box<Element>),
    /// Writes an element of a storage buffer or shared array in the active lanes.
    Write(Box<Element>),
    /// Changes an element of a storage buffer or shared array, in one active lane after another.
    Atomic(Box<Atomic>),
    /// Computes the number of elements in a storage buffer whose elements have `width` components.
    Count { to: Register, slot: u32, width: usize },
    /// Reads a texel of a storage texture.
    ReadTexel(Box<TexelOf>),
    /// Writes a texel of a storage texture in the active lanes.
    WriteTexel(Box<TexelOf>),
    /// Reads the size of a storage texture.
    Sizes { to: Registers, slot: u32 },
    /// A barrier, at which the invocations of a workgroup wait for each other.
    Barrier,
    /// An IF, with the PHIs that follow it.
    If { condition: Register, accept: Block, reject: Block, joins: Box<[Join]> },
    /// A LOOP. `entry` sets the PHIs of the loop header before the first iteration, and `back` before each further iteration.
    Loop { entry: Box<[Move]>, body: Block, back: Box<[Move]> },
    /// A SWITCH. The block `otherwise` is the default.
    Switch { selector: Register, cases: Box<[(u32, Block)]>, otherwise: Block },
    /// Leaves the innermost LOOP or SWITCH.
    Break,
    /// Leaves the current iteration of the innermost LOOP.
    Continue,
    /// Discards the fragment. If `leaves` is true, the invocation also leaves the function. Discards inside loops, switches and
    /// calls set `leaves`.
    Discard { leaves: bool },
    /// Sets the function's result and leaves the function.
    Return(Box<[Move]>),
    /// Calls the function with the given index in the module.
    Call { function: usize, arguments: Box<[Move]>, results: Box<[Move]> },
}

impl Step {
    /// Returns the step that applies a kernel to single components.
    pub(crate) fn of(kernel: Kernel<LANES>, to: Register, from: &[Register]) -> Option<Step> {
        Some(match (kernel, from) {
            (Kernel::One(f), &[a]) => Step::One(f, to, a),
            (Kernel::Two(f) | Kernel::Fold(f), &[a, b]) => Step::Two(f, to, [a, b]),
            (Kernel::Three(f), &[a, b, c]) => Step::Three(f, to, [a, b, c]),
            _ => return None,
        })
    }

    /// Reports whether the step or a block inside it contains a barrier.
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

    /// Calls `f` with every register of the step and of the blocks inside it.
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
            Step::Atomic(atomic) => {
                let operands = atomic.values.iter_mut().chain(&mut atomic.index);
                operands.chain([&mut atomic.to]).for_each(f);
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

pub(crate) fn each_register(block: &mut [Step], f: &mut dyn FnMut(&mut Register)) {
    block.iter_mut().for_each(|step| step.each_register(f));
}
