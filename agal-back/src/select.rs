//! Selects AGAL's operations for a function by executing it symbolically, with lanes in place of numbers.
//!
//! Values that are known at compile time are computed here, so loops with a known number of iterations are unrolled, and calls
//! are inlined. The operations that lifting makes from one token become one token again; other operations become several, in an
//! order that gives the same numbers. Rule: the selected code is legal but not short; `improve.rs` makes it short.

mod arithmetic;
mod emit;
mod flow;
mod fork;
mod inputs;
mod ints;
mod operation;
mod range;
mod texture;

use std::collections::BTreeMap;

use agal_front::Stage;
use agal_front::register::File;
use sdlbc::{Dimension, Function, Id, Inst, Module, OutputKind, Sampler};

use crate::code::{Code, Lane};
use crate::constants::Registers;
use crate::refusal::RefusalKind;

/// A value of the function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    /// Floats.
    Lanes(Vec<Lane>),
    /// Bools: a comparison of floats that has not been computed yet.
    Comparison(sdlbc::Op, Vec<Lane>, Vec<Lane>),
    /// Bools, as floats that are 1 or 0.
    Truth(Vec<Lane>),
    /// A bool: the negation of another one, not computed yet.
    Otherwise(Box<Val>),
    /// Ints and bools whose values are known.
    Known(sdlbc::compute::Value),
    /// An int: a float that is whole or is rounded to a whole number, plus a constant.
    Int {
        /// The float.
        lane: Lane,
        /// Whether the float is whole.
        is_whole: bool,
        /// The constant that is added.
        plus: i32,
    },
    /// Ints or uints as whole floats, which are exact because their absolute values are at most 2^24.
    Whole(sdlbc::Scalar, Vec<Lane>),
    /// The columns of a matrix.
    Matrix(Vec<Vec<Lane>>),
    /// An array of uniforms: its first register, its length and the components of an element.
    Array(u32, u32, u8),
    /// A texture.
    Texture(u32, Dimension, Sampler),
    /// The elements of a local array.
    Local(Vec<Val>),
}

/// The result of selecting an operation or a value.
pub(crate) type Selected<T> = Result<T, RefusalKind>;

/// A function that is being executed: its values, and the instructions that define them.
#[derive(Default)]
struct Frame<'a> {
    values: BTreeMap<Id, Val>,
    origins: BTreeMap<Id, &'a Inst>,
    returned: Option<Val>,
}

impl Frame<'_> {
    fn value(&self, id: Id) -> Selected<&Val> {
        self.values.get(&id).ok_or(RefusalKind::Flow { what: "value that only some paths define" })
    }

    /// The current contents of the local arrays.
    fn locals(&self) -> Vec<(Id, Val)> {
        let locals = self.values.iter().filter(|(_, value)| matches!(value, Val::Local(_)));
        locals.map(|(&id, value)| (id, value.clone())).collect()
    }

    /// Sets an element of a local array.
    fn set_element(&mut self, id: Id, at: usize, value: Val) {
        if let Some(Val::Local(elements)) = self.values.get_mut(&id)
            && let Some(element) = elements.get_mut(at)
        {
            *element = value;
        }
    }
}

/// The lowest and the highest number.
type Range = (f64, f64);

struct Selector<'a> {
    module: &'a Module,
    function: &'a Function,
    code: Code,
    registers: Registers,
    /// The current values of the outputs.
    outputs: Vec<Option<Vec<Lane>>>,
    /// The current instruction, counted from 1.
    place: u32,
    /// The number of open calls.
    depth: u32,
    /// The known ranges of components.
    ranges: BTreeMap<Lane, Range>,
    /// The number of instructions executed.
    steps: u32,
    /// The number of open forks, and the number of these that are conditionals in the AGAL program.
    forks: u32,
    nesting: u32,
    /// The conditions, as floats that are 1 or 0, of the open conditionals whose sides are both computed, and of a discard while it
    /// is selected.
    path: Vec<Lane>,
    /// The word of each sampler.
    samplers: BTreeMap<u32, u64>,
    /// The uniforms by name; the function shares them with the functions that it calls.
    uniforms: BTreeMap<String, Val>,
}

/// The operand of an instruction at a place; [`Id::NONE`] if it has none there.
fn operand(inst: &Inst, at: usize) -> Id {
    inst.inputs.get(at).copied().unwrap_or(Id::NONE)
}

/// The code of a function and its constant registers, or the reason for a refusal and the instruction, counted from 1.
pub(crate) fn select(
    module: &Module,
    function: usize,
    stage: Stage,
    version: u32,
) -> Result<(Code, Registers), (RefusalKind, u32)> {
    let Some(of) = module.functions.get(function) else { return Err((RefusalKind::NoFunction, 0)) };
    let mut selector = Selector {
        module,
        function: of,
        code: Code::new(stage, version),
        registers: Registers::default(),
        outputs: vec![None; of.outputs.len()],
        place: 0,
        depth: 0,
        forks: 0,
        ranges: BTreeMap::new(),
        nesting: 0,
        steps: 0,
        path: Vec::new(),
        samplers: BTreeMap::new(),
        uniforms: BTreeMap::new(),
    };
    match selector.run() {
        Ok(()) => Ok((selector.code, selector.registers)),
        Err(kind) => Err((kind, selector.place)),
    }
}

impl<'a> Selector<'a> {
    fn run(&mut self) -> Selected<()> {
        let mut frame = Frame::default();
        self.inputs(&mut frame)?;
        let leaves = self.block(&mut frame, self.function.body.block(), true)?;
        self.place = 0;
        if leaves.is_discarded() {
            // No fragment remains to have a colour, but a program must write one.
            let zero = || Some(Self::number(0.0).repeat(4));
            self.outputs.iter_mut().filter(|output| output.is_none()).for_each(|output| *output = zero());
        }
        self.write_outputs()
    }

    fn stage(&self) -> Stage {
        self.code.stage
    }

    /// Requires a feature of a later version.
    fn since(&self, version: u32, what: &'static str) -> Selected<()> {
        if self.code.version >= version { Ok(()) } else { Err(RefusalKind::Since { what, version }) }
    }

    fn write_outputs(&mut self) -> Selected<()> {
        for (at, output) in self.function.outputs.iter().enumerate() {
            let refused = |what| Err(RefusalKind::Output { name: output.name.clone(), what });
            let Some(lanes) = self.outputs.get(at).cloned().flatten() else {
                match output.kind {
                    OutputKind::Position | OutputKind::Colour { .. } => return refused("it is not written"),
                    _ => continue,
                }
            };
            let (file, number) = match output.kind {
                OutputKind::Position => (File::Output, 0),
                OutputKind::Varying { location, interpolation: sdlbc::Interpolation::Perspective } => {
                    (File::Varying, location)
                }
                OutputKind::Varying { .. } => return refused("it is not interpolated in perspective"),
                OutputKind::Colour { target } => (File::Output, target),
                OutputKind::Depth => (File::Depth, 0),
                OutputKind::PointSize => return refused("the size of a point"),
                OutputKind::ClipDistance { .. } => return refused("a clip distance"),
                OutputKind::Returned => continue,
            };
            let limit = file.count(self.stage(), self.code.version);
            if number >= limit {
                return Err(RefusalKind::Register { file, number, limit });
            }
            // A register is written as a whole: the last component is repeated for missing ones.
            let width = if file == File::Depth { 1 } else { 4 };
            let Some(&last) = lanes.last() else { continue };
            let lanes = lanes.into_iter().chain(std::iter::repeat(last)).take(width).collect();
            self.write(file, number, lanes)?;
        }
        Ok(())
    }
}
