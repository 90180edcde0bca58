//! Prepares an entry function and runs it.

use sdlbc::{FunctionKind, InputKind, Module};

use crate::error::Error;
use crate::float24::Float;
use crate::plan::Plan;
use crate::run::{Observer, Run, State, run_workgroups};
use crate::step::Registers;
use crate::{Column, Mask, Resources, quads};

/// The result of running an entry function.
#[derive(Clone, Debug, PartialEq)]
pub struct Ran {
    /// The lanes that ran and were not discarded.
    pub live: Mask,
    /// The columns of each output's components, in the order of the function's outputs.
    pub outputs: Vec<Vec<Column>>,
}

/// A callback that returns the columns of an entry function's attribute, varying or builtin. An input for which the callback
/// returns `None` is zero.
pub type Inputs<'a> = &'a dyn Fn(InputKind) -> Option<[Column; 4]>;

/// A callback that passes the components of an attribute, varying or builtin to another callback, in order.
pub(crate) type Give<'a> = &'a dyn Fn(InputKind, &mut dyn FnMut(usize, &Column));

/// An entry function that has been prepared to run.
pub struct Program {
    pub(crate) plan: Plan,
    pub(crate) kind: FunctionKind,
    entry: usize,
    /// The size of a compute function's workgroup in invocations.
    workgroup: [u32; 3],
}

impl Program {
    /// Prepares the function with the given index in the module.
    ///
    /// # Errors
    /// Returns an [`Error`] of any kind except [`Error::Stuck`].
    pub fn new(module: &Module, function: usize) -> Result<Program, Error> {
        Program::with_float(module, function, Float::default())
    }

    /// Prepares a function like [`Program::new`], for computations in the floating-point format `float`.
    ///
    /// # Errors
    /// Returns an [`Error`] of any kind except [`Error::Stuck`].
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

    /// Runs the invocations of the lanes in `live`. Fragments run in quads: if one lane of a quad is live, the quad's
    /// other lanes are helper invocations.
    ///
    /// # Errors
    /// Returns [`Error::Stuck`] if an invocation does not terminate, and [`Error::Dispatch`] for a compute function.
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

    /// Runs the workgroups of a compute function, one after the other. `workgroups` contains the number of workgroups
    /// along each axis. The function reads and writes the storage buffers and storage textures of `resources`.
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
    /// Returns [`Error::Stuck`] if an invocation does not terminate. Values that were written before this error remain in
    /// the resources. Returns [`Error::Dispatch`] for a function that is not a compute function.
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

    /// Runs the program with registers that are already allocated. `give` supplies the columns of each input; missing columns are
    /// zero. Returns the lanes that were not discarded, and whether the program is stuck.
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
