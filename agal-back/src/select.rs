//! Selects AGAL operations for a function by executing the function symbolically, with lanes instead of numbers.
//!
//! The selector computes values that are known at compile time, unrolls loops with a known number of iterations, and inlines
//! calls. Where lifting translated one token into several operations, the selector restores the token. Any other operation
//! becomes one or more tokens that compute the same result. Rule: the selected code is legal but need not be short; `improve.rs`
//! shortens the code.

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
use sdlbc::{Dimension, Function, FunctionOutput, Id, Inst, Module, OutputKind, Sampler, Type};

use crate::code::{Code, Lane};
use crate::constants::Registers;
use crate::refusal::RefusalKind;

/// A value of the function during symbolic execution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    /// Floats, with one lane for each component.
    Lanes(Vec<Lane>),
    /// Results of a float comparison, which are computed only when an instruction needs them.
    Comparison(sdlbc::Op, Vec<Lane>, Vec<Lane>),
    /// Bools, as floats that are 1 or 0.
    Truth(Vec<Lane>),
    /// A negated bool, which is computed only when an instruction needs it.
    Otherwise(Box<Val>),
    /// Ints or bools whose values are known at compile time.
    Known(sdlbc::compute::Value),
    /// An int that is the sum of a constant and a float. If the float is not already whole, it is rounded to a whole number.
    Int {
        /// The float from which the int is computed.
        lane: Lane,
        /// Whether the float is already a whole number.
        is_whole: bool,
        /// The constant that is added to the float.
        plus: i32,
    },
    /// Ints or uints as whole floats, which are exact because their absolute values are at most 2^24.
    Whole(sdlbc::Scalar, Vec<Lane>),
    /// The columns of a matrix.
    Matrix(Vec<Vec<Lane>>),
    /// A uniform array: its first register, its length, and the number of components in an element.
    Array(u32, u32, u8),
    /// A texture: its slot, dimension and sampling state.
    Texture(u32, Dimension, Sampler),
    /// The elements of a local array.
    Local(Vec<Val>),
}

/// The result of selecting an operation or a value, or the reason for a refusal.
pub(crate) type Selected<T> = Result<T, RefusalKind>;

/// A function that is being executed, with its values and the instructions that define them.
#[derive(Default)]
struct Frame<'a> {
    values: BTreeMap<Id, Val>,
    origins: BTreeMap<Id, &'a Inst>,
    returned: Option<Val>,
}

impl Frame<'_> {
    fn value(&self, id: Id) -> Selected<&Val> {
        self.values.get(&id).ok_or(RefusalKind::Flow { what: "support for a value that only some paths define" })
    }

    fn locals(&self) -> Vec<(Id, Val)> {
        let locals = self.values.iter().filter(|(_, value)| matches!(value, Val::Local(_)));
        locals.map(|(&id, value)| (id, value.clone())).collect()
    }

    fn set_element(&mut self, id: Id, at: usize, value: Val) {
        if let Some(Val::Local(elements)) = self.values.get_mut(&id)
            && let Some(element) = elements.get_mut(at)
        {
            *element = value;
        }
    }
}

/// The lowest and the highest possible value of a component.
type Range = (f64, f64);

struct Selector<'a> {
    module: &'a Module,
    function: &'a Function,
    code: Code,
    registers: Registers,
    /// The current value of each output, or `None` before the output is written.
    outputs: Vec<Option<Vec<Lane>>>,
    /// The number of the current instruction, counted from 1.
    place: u32,
    depth: u32,
    ranges: BTreeMap<Lane, Range>,
    steps: u32,
    /// The number of open forks. `nesting` counts the open forks that are conditionals in the AGAL program.
    forks: u32,
    nesting: u32,
    /// For each open conditional whose sides are both computed, a float that is 1 if the program takes the current side, and 0
    /// otherwise. While the selector translates a discard, the condition of the discard is the last element.
    path: Vec<Lane>,
    samplers: BTreeMap<u32, u64>,
    /// The values of the uniforms, keyed by name and shared between the function and its callees.
    uniforms: BTreeMap<String, Val>,
}

/// Returns an operand of an instruction, or [`Id::NONE`] if the instruction has no operand at that index.
fn operand(inst: &Inst, at: usize) -> Id {
    inst.inputs.get(at).copied().unwrap_or(Id::NONE)
}

/// Selects the code and the constant registers of a function. An error contains the reason and the number of the refused
/// instruction, counted from 1.
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
        self.refuse_integer_colours()?;
        self.inputs(&mut frame)?;
        let leaves = self.block(&mut frame, self.function.body.block(), true)?;
        self.place = 0;
        if leaves.is_discarded() {
            // A program that discards every fragment must still write a colour.
            let zero = || Some(Self::number(0.0).repeat(4));
            self.outputs.iter_mut().filter(|output| output.is_none()).for_each(|output| *output = zero());
        }
        self.write_outputs()
    }

    fn stage(&self) -> Stage {
        self.code.stage
    }

    /// Refuses a feature if the program's version is lower than `version`.
    fn since(&self, version: u32, what: &'static str) -> Selected<()> {
        if self.code.version >= version { Ok(()) } else { Err(RefusalKind::Since { what, version }) }
    }

    /// Refuses the first colour of ints, before the selector refuses the operations that compute it.
    fn refuse_integer_colours(&self) -> Selected<()> {
        let is_integer =
            |output: &&FunctionOutput| matches!(output.kind, OutputKind::Colour { .. }) && output.ty != Type::FLOAT4;
        match self.function.outputs.iter().find(is_integer) {
            Some(output) => Err(RefusalKind::Output { name: output.name.clone(), what: "an integer colour" }),
            None => Ok(()),
        }
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
                OutputKind::Varying { .. } => return refused("its interpolation is not perspective-correct"),
                OutputKind::Colour { target } => (File::Output, target),
                OutputKind::Depth => (File::Depth, 0),
                OutputKind::PointSize => return refused("a point size"),
                OutputKind::ClipDistance { .. } => return refused("a clip distance"),
                OutputKind::Returned => continue,
            };
            let limit = file.count(self.stage(), self.code.version);
            if number >= limit {
                return Err(RefusalKind::Register { file, number, limit });
            }
            // An output register must be written in full, so the last component is repeated for missing components.
            let width = if file == File::Depth { 1 } else { 4 };
            let Some(&last) = lanes.last() else { continue };
            let lanes = lanes.into_iter().chain(std::iter::repeat(last)).take(width).collect();
            self.write(file, number, lanes)?;
        }
        Ok(())
    }
}
