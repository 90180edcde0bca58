//! Selects AGAL's operations for a function: runs the function once, with lanes in place of numbers.
//!
//! What is known before the program runs is computed here, so that loops whose rounds are known are unrolled, and calls are
//! followed into the functions that they call. What lifting makes of one token becomes one token again; other operations become
//! several, in an order that gives the same numbers. Rule: what is selected is legal but not short. `improve.rs` makes it so.

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
use sdlbc::{Dimension, Function, Id, Inst, Module, OutputKind, Sampler};

use crate::code::{Code, Lane};
use crate::constants::Registers;
use crate::refusal::RefusalKind;

/// A value of the function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Val {
    /// Floats.
    Lanes(Vec<Lane>),
    /// Bools: a comparison of floats that nothing has computed yet.
    Comparison(sdlbc::Op, Vec<Lane>, Vec<Lane>),
    /// Bools, as floats that are 1 or 0.
    Truth(Vec<Lane>),
    /// A bool: the opposite of one, which nothing has computed yet.
    Otherwise(Box<Val>),
    /// Ints and bools that are known.
    Known(sdlbc::compute::Value),
    /// An int: a float that is whole, or is rounded to one, and what is added.
    Int {
        /// The float.
        lane: Lane,
        /// Whether it is whole.
        is_whole: bool,
        /// What is added.
        plus: i32,
    },
    /// Ints or uints that are whole floats, exact because none is larger than 2^24.
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

/// What an attempt to select something leads to.
pub(crate) type Selected<T> = Result<T, RefusalKind>;

/// A function that is being run: its values, and the instructions that they come from.
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

    /// The local arrays as they are now.
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

/// What selection found.
pub(crate) struct Selection {
    pub(crate) code: Code,
    pub(crate) registers: Registers,
}

/// The least and the greatest number.
type Range = (f64, f64);

struct Selector<'a> {
    module: &'a Module,
    function: &'a Function,
    code: Code,
    registers: Registers,
    /// The values of outputs so far.
    outputs: Vec<Option<Vec<Lane>>>,
    /// The instruction that is selected, counted from 1.
    place: u32,
    /// How many calls are open.
    depth: u32,
    /// The ranges of components of which more is known than that they are floats.
    ranges: BTreeMap<Lane, Range>,
    /// How many instructions have been run.
    steps: u32,
    /// How many forks are open, and how many of them are conditionals of the program.
    forks: u32,
    nesting: u32,
    /// What must hold, as floats that are 1 or 0, for what is run without its conditional.
    path: Vec<Lane>,
    /// The word of each sampler.
    samplers: BTreeMap<u32, u64>,
    /// The uniforms by name, which the function and those that it calls share.
    uniforms: BTreeMap<String, Val>,
}

/// Selects operations for a function.
pub(crate) fn select(
    module: &Module,
    function: usize,
    stage: Stage,
    version: u32,
) -> Result<Selection, (RefusalKind, u32)> {
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
        Ok(()) => {
            let Selector { code, registers, .. } = selector;
            Ok(Selection { code, registers })
        }
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
            // No fragment is left to have a colour, but a program must write one.
            let zero = || Some(Self::number(0.0).repeat(4));
            self.outputs.iter_mut().filter(|output| output.is_none()).for_each(|output| *output = zero());
        }
        self.write_outputs()
    }

    fn stage(&self) -> Stage {
        self.code.stage
    }

    /// Needs something that a later version has.
    fn since(&self, version: u32, what: &'static str) -> Selected<()> {
        if self.code.version >= version { Ok(()) } else { Err(RefusalKind::Since { what, version }) }
    }

    fn write_outputs(&mut self) -> Selected<()> {
        use agal_front::register::File;
        for (at, output) in self.function.outputs.iter().enumerate() {
            let name = || output.name.clone();
            let Some(lanes) = self.outputs.get(at).cloned().flatten() else {
                match output.kind {
                    OutputKind::Position | OutputKind::Colour { .. } => {
                        return Err(RefusalKind::Output { name: name(), what: "it is not written" });
                    }
                    _ => continue,
                }
            };
            let (file, number) = match output.kind {
                OutputKind::Position => (File::Output, 0),
                OutputKind::Varying { location, interpolation: sdlbc::Interpolation::Perspective } => {
                    (File::Varying, location)
                }
                OutputKind::Varying { .. } => {
                    return Err(RefusalKind::Output { name: name(), what: "it is not interpolated in perspective" });
                }
                OutputKind::Colour { target } => (File::Output, target),
                OutputKind::Depth => (File::Depth, 0),
                OutputKind::PointSize => return Err(RefusalKind::Output { name: name(), what: "the size of a point" }),
                OutputKind::ClipDistance { .. } => {
                    return Err(RefusalKind::Output { name: name(), what: "a clip distance" });
                }
                OutputKind::Returned => continue,
            };
            let limit = file.count(self.stage(), self.code.version);
            if number >= limit {
                return Err(RefusalKind::Register { file, number, limit });
            }
            // A register is written as a whole: the last component stands for those that there are not.
            let width = if file == File::Depth { 1 } else { 4 };
            let Some(&last) = lanes.last() else { continue };
            let lanes = lanes.into_iter().chain(std::iter::repeat(last)).take(width).collect();
            self.write(file, number, lanes)?;
        }
        Ok(())
    }
}
