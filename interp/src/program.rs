//! A program: an entry function that is prepared to run on its own.

use sdlbc::{FunctionKind, InputKind, Module};

use crate::error::Error;
use crate::float24::Float;
use crate::plan::Plan;
use crate::run::{Observer, Run, State};
use crate::step::Registers;
use crate::{Column, LANES, Mask, Resources, quads};

/// The result of an entry function.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The lanes that were run and not discarded.
    pub live: Mask,
    /// The columns of each output's components, in the function's order.
    pub outputs: Vec<Vec<Column>>,
}

/// Returns the columns of an entry's attributes, varyings and builtins; missing ones are zero.
pub type Inputs<'a> = &'a dyn Fn(InputKind) -> Option<[Column; 4]>;

/// An entry function that can be run.
pub struct Program {
    pub(crate) plan: Plan,
    pub(crate) kind: FunctionKind,
    entry: usize,
}

impl Program {
    /// Prepares the function with the given index.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn new(module: &Module, function: usize) -> Result<Program, Error> {
        Program::with_float(module, function, Float::default())
    }

    /// Prepares the function with the given index, to compute in these floats.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn with_float(module: &Module, function: usize, float: Float) -> Result<Program, Error> {
        sdlbc::verify(module).map_err(Error::Invalid)?;
        let kind = module.functions.get(function).map(|function| function.kind).unwrap_or_default();
        if kind == FunctionKind::Generic {
            return Err(Error::NoEntry);
        }
        Ok(Program { plan: Plan::new(module, function, float)?, kind, entry: function })
    }

    /// Runs some invocations. Fragments run in quads: the other lanes of a quad with a lane in `live` are helper invocations.
    ///
    /// # Errors
    /// [`Error::Stuck`] if an invocation does not terminate.
    pub fn run(
        &self,
        resources: &Resources,
        live: Mask,
        inputs: Inputs<'_>,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Ran, Error> {
        let mut state = State::new(&self.plan, self.kind, resources, observer.as_mut().map(|one| &mut **one as _));
        let (live, stuck) = self.run_in(&mut state, resources, live, inputs, observer);
        if stuck {
            return Err(Error::Stuck);
        }
        let columns = |registers: &Registers| registers.iter().map(|&register| *state.register(register)).collect();
        Ok(Ran { live, outputs: self.plan.outputs.iter().map(columns).collect() })
    }

    /// Runs with registers that are already allocated. Returns the lanes that were not discarded, and whether it is stuck.
    pub(crate) fn run_in(
        &self,
        state: &mut State,
        resources: &Resources,
        live: Mask,
        inputs: Inputs<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> (Mask, bool) {
        for (kind, registers) in &self.plan.inputs {
            let given = inputs(*kind).unwrap_or([[0; LANES]; 4]);
            for (&register, column) in registers.iter().zip(&given) {
                *state.register_mut(register) = *column;
            }
        }
        let all = if self.kind == FunctionKind::Fragment { quads::whole(live) } else { live };
        let ended = Run::new(&self.plan, self.kind, resources, state, all, observer).entry(self.entry);
        (live & !ended.discarded, ended.stuck)
    }
}
