//! A program: a prepared entry function.

use sdlbc::{FunctionKind, InputKind, Module};

use crate::error::Error;
use crate::float24::Float;
use crate::plan::Plan;
use crate::run::{Observer, Run, State, run_workgroups};
use crate::step::Registers;
use crate::{Column, Mask, Resources, quads};

/// The result of an entry function.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The lanes that ran and were not discarded.
    pub live: Mask,
    /// The columns of each output's components, in the function's order.
    pub outputs: Vec<Vec<Column>>,
}

/// Returns the columns of an entry's attribute, varying or builtin. A missing input is zero.
pub type Inputs<'a> = &'a dyn Fn(InputKind) -> Option<[Column; 4]>;

/// Calls a function with each component, in order, of an entry's attribute, varying or builtin.
pub(crate) type Give<'a> = &'a dyn Fn(InputKind, &mut dyn FnMut(usize, &Column));

/// An entry function that can be run.
pub struct Program {
    pub(crate) plan: Plan,
    pub(crate) kind: FunctionKind,
    entry: usize,
    /// The numbers of invocations in a workgroup of a compute function.
    workgroup: [u32; 3],
}

impl Program {
    /// Prepares a function, by its index in the module.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn new(module: &Module, function: usize) -> Result<Program, Error> {
        Program::with_float(module, function, Float::default())
    }

    /// Prepares a function, by its index in the module, to compute in this floating-point format.
    ///
    /// # Errors
    /// See [`Error`]; never [`Error::Stuck`].
    pub fn with_float(module: &Module, function: usize, float: Float) -> Result<Program, Error> {
        sdlbc::verify(module).map_err(Error::Invalid)?;
        let of = module.functions.get(function);
        let kind = of.map(|function| function.kind).unwrap_or_default();
        let workgroup = of.and_then(|function| function.workgroup).unwrap_or([1; 3]);
        if kind == FunctionKind::Generic {
            return Err(Error::NoEntry);
        }
        Ok(Program { plan: Plan::new(module, function, float)?, kind, entry: function, workgroup })
    }

    /// Runs some invocations. Fragments run in quads: the other lanes of a quad with a lane in `live` are helper invocations.
    ///
    /// # Errors
    /// [`Error::Stuck`] if an invocation does not terminate; [`Error::Dispatch`] for a compute function.
    pub fn run(
        &self,
        resources: &Resources,
        live: Mask,
        inputs: Inputs<'_>,
        mut observer: Option<&mut dyn Observer>,
    ) -> Result<Ran, Error> {
        if self.kind == FunctionKind::Compute {
            return Err(Error::Dispatch);
        }
        let mut state = State::new(&self.plan, self.kind, resources, observer.as_mut().map(|one| &mut **one as _));
        let give = |kind: InputKind, columns: &mut dyn FnMut(usize, &Column)| {
            for (component, column) in inputs(kind).iter().flatten().enumerate() {
                columns(component, column);
            }
        };
        let (live, stuck) = self.run_in(&mut state, resources, live, &give, observer);
        if stuck {
            return Err(Error::Stuck);
        }
        let columns = |registers: &Registers| registers.iter().map(|&register| *state.register(register)).collect();
        Ok(Ran { live, outputs: self.plan.outputs.iter().map(columns).collect() })
    }

    /// Runs a compute function for these numbers of workgroups, one workgroup after the other. It reads and writes the storage
    /// buffers of `resources`.
    ///
    /// ```
    /// use sdlbc::FunctionKind;
    /// use sdlbc_interp::{Program, Resources};
    ///
    /// let module = sdlbc::parse(
    ///     r#"
    /// compute function "double" {
    ///   input %1 place: uint3 = builtin globalinvocationid
    ///   input %2 numbers: int[] = buffer 0 readwrite
    ///   workgroup 4 1 1
    ///   %3 = swizzle %1, x
    ///   %4 = convert %3, int
    ///   %5 = peek %2, %4, 0
    ///   %6 = add %5, %5
    ///   poke %6, %2, %4, 0
    /// }"#,
    /// )
    /// .expect("a module");
    /// let mut resources = Resources::default();
    /// resources.buffers.insert((FunctionKind::Compute, 0), vec![1, 2, 3, 4, 5, 6, 7, 8]);
    /// let program = Program::new(&module, 0)?;
    /// program.dispatch(&mut resources, [2, 1, 1], None)?;
    /// assert_eq!(resources.buffers[&(FunctionKind::Compute, 0)], [2, 4, 6, 8, 10, 12, 14, 16]);
    /// # Ok::<(), sdlbc_interp::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Stuck`] if an invocation does not terminate; the buffers then contain the values written before that.
    /// [`Error::Dispatch`] for a function of another kind.
    pub fn dispatch(
        &self,
        resources: &mut Resources,
        workgroups: [u32; 3],
        observer: Option<&mut dyn Observer>,
    ) -> Result<(), Error> {
        if self.kind != FunctionKind::Compute {
            return Err(Error::Dispatch);
        }
        run_workgroups(&self.plan, self.entry, self.workgroup, resources, workgroups, observer)
    }

    /// Runs with registers that are already allocated. `give` calls a function with the columns of an input and the numbers of
    /// their components. Missing columns are zero. Returns the lanes that were not discarded, and whether the program is stuck.
    pub(crate) fn run_in(
        &self,
        state: &mut State,
        resources: &Resources,
        live: Mask,
        give: Give<'_>,
        observer: Option<&mut dyn Observer>,
    ) -> (Mask, bool) {
        for (kind, registers) in &self.plan.inputs {
            let mut given = 0;
            give(*kind, &mut |component, column| {
                if let Some(&register) = registers.get(component) {
                    *state.register_mut(register) = *column;
                    given = component + 1;
                }
            });
            for &register in registers.get(given..).unwrap_or_default() {
                state.register_mut(register).fill(0);
            }
        }
        let all = if self.kind == FunctionKind::Fragment { quads::whole(live) } else { live };
        let ended = Run::new(&self.plan, self.kind, resources, None, state, all, observer).entry(self.entry);
        (live & !ended.discarded, ended.stuck)
    }
}
