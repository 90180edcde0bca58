//! The verifier, which checks the rules for modules and reports every violation.
//!
//! Rule: every requirement on a module is a [`Rule`] with a fixed number, and backends may rely on all rules. Violations are
//! reported in reading order. A fault is reported once, where it occurs, and its consequences are not reported as further
//! violations. The verifier takes time proportional to the module's size times its nesting depth, and never recurses deeper than
//! [`limits::NESTING`]. A value is visible from its instruction to the end of the block that contains the instruction, including
//! nested blocks. Only a PHI may read a value after the end of the value's block (`code.rs`).

mod barriers;
mod code;
mod control_flow;
mod debug;
mod distinct;
mod interface;
mod phi;
mod report;
mod rules;
mod shared;
mod values;

pub use rules::{Detail, Rule, Violation};
pub use values::Types;

use distinct::{Distinct, hint};
use report::{At, Report};

use crate::calls::Calls;
use crate::codec::offsets::offsets;
use crate::inst::word;
use crate::{Function, FunctionKind, Module, Signature, limits};

/// Checks a module against every [`Rule`].
///
/// ```
/// use sdlbc::{Function, Id, Inst, Module, Op, code, verify};
///
/// let body = code![Inst::new(Op::Negate, Id(2), &[Id(1)], &[])];
/// let module = Module { functions: vec![Function { body, ..Function::default() }], ..Module::default() };
/// let violations = verify(&module).expect_err("%1 is undefined");
/// assert!(violations[0].to_string().starts_with("V05: "));
/// assert_eq!((violations[0].instruction, violations[0].offset), (Some(0), Some(52)));
/// ```
///
/// # Errors
/// Returns the module's violations in reading order, at most [`limits::VIOLATIONS`] of them.
pub fn verify(module: &Module) -> Result<(), Vec<Violation>> {
    verified(module).map(drop)
}

/// Verifies a module and returns the types of each function's values, as [`types`] does.
///
/// # Errors
/// Returns the violations that [`verify()`] returns.
pub fn verified(module: &Module) -> Result<Vec<Types>, Vec<Violation>> {
    let mut found = Vec::new();
    let calls = Calls::new(module);
    for (counted, count) in limits::over_with(module, calls.code) {
        Report { function: None, found: &mut found }.add(Rule::Limits, Detail::Over(counted, count));
    }
    let of_kind = |kind| {
        let functions = module.functions.iter().enumerate();
        functions.filter(move |(_, function)| function.kind == kind).map(|(index, _)| index)
    };
    let without_derivatives = calls.reached(of_kind(FunctionKind::Vertex).chain(of_kind(FunctionKind::Compute)));
    // `drawn` is needed only if the module writes to memory.
    let inputs = || module.functions.iter().flat_map(|function| &function.inputs);
    let drawn = if inputs().any(|input| input.kind.is_seen_by_others()) {
        calls.reached(of_kind(FunctionKind::Vertex).chain(of_kind(FunctionKind::Fragment)))
    } else {
        Vec::new()
    };
    let is_mixed = of_kind(FunctionKind::Compute).next().is_some()
        && of_kind(FunctionKind::Vertex).chain(of_kind(FunctionKind::Fragment)).next().is_some();
    let shared = shared::conflicts(module, &calls);
    let signatures = if calls.any { module.signatures() } else { Vec::new() };
    let mut recursions = calls.recursions().into_iter().peekable();
    let mut heads = Heads::default();
    let mut sums = interface::Components::default();
    let mut values = Vec::with_capacity(module.functions.len());
    for (index, function) in module.functions.iter().enumerate() {
        let mut report = Report { function: Some(index), found: &mut found };
        heads.check(function, &mut report);
        if is_mixed && function.kind == FunctionKind::Compute {
            report.add(Rule::ComputeAlone, Detail::None);
        }
        let is_drawn = drawn.get(index) == Some(&true);
        let interface = interface::check(function, &shared, &mut sums, is_drawn, &mut report);

        let code = report.found.len();
        while let Some(call) = recursions.next_if(|call| call.function == index) {
            report.add_at(call.instruction, Rule::Recursion, Detail::Index(word(call.callee)));
        }
        let has_no_derivatives = without_derivatives.get(index) == Some(&true);
        values.push(code::check(function, &interface, &signatures, has_no_derivatives, &mut report));
        if function.kind == FunctionKind::Compute {
            barriers::check(function, &mut report);
        }
        if let Some(code) = report.found.get_mut(code..) {
            code.sort_by_key(|(violation, _)| violation.instruction.unwrap_or(usize::MAX));
        }
    }
    debug::check(module, &calls, &values, &mut found);
    if found.is_empty() {
        return Ok(values);
    }
    let offsets = offsets(module);
    let located = |(mut violation, at): (Violation, At)| {
        violation.offset = at.offset(&violation, &offsets);
        violation
    };
    Err(found.into_iter().map(located).collect())
}

/// A module that has been verified, together with the types of its values. Code that receives a `Verified` module need not
/// verify the module again.
///
/// ```
/// use sdlbc::{Module, Verified};
///
/// let verified = Verified::new(Module::default()).expect("an empty module verifies");
/// assert!(verified.functions.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Verified {
    module: Module,
    types: Vec<Types>,
}

impl Verified {
    /// Verifies a module and infers the types of its values.
    ///
    /// # Errors
    /// Returns the violations that [`verify()`] returns.
    pub fn new(module: Module) -> Result<Verified, Vec<Violation>> {
        let types = verified(&module)?;
        Ok(Verified { module, types })
    }

    /// Lets a pass change the module and the types of its values. Only debug builds verify the changed module and its types.
    pub fn rewritten(mut self, change: impl FnOnce(&mut Module, &mut [Types])) -> Verified {
        change(&mut self.module, &mut self.types);
        debug_assert_eq!(verify(&self.module), Ok(()), "a pass breaks the rules");
        debug_assert!(self.has_right_types(), "a pass states wrong types");
        self
    }

    /// Reports whether the stated type of each value is the type that its definition has.
    fn has_right_types(&self) -> bool {
        self.module.functions.iter().zip(&self.types).enumerate().all(|(number, (function, stated))| {
            let own = types(&self.module, number);
            let results = function.body.insts().iter().map(|inst| inst.output).filter(|id| id.is_some());
            let mut ids = function.inputs.iter().map(|input| input.id).chain(results);
            ids.all(|id| stated.get(id) == own.get(id))
        })
    }

    /// Returns the types of each function's values, in the order of the functions.
    pub fn types(&self) -> &[Types] {
        &self.types
    }

    /// Returns the verified module, and discards the types of its values.
    pub fn into_module(self) -> Module {
        self.module
    }

    /// Returns the verified module, and the types of each function's values.
    pub fn into_parts(self) -> (Module, Vec<Types>) {
        (self.module, self.types)
    }
}

impl std::ops::Deref for Verified {
    type Target = Module;

    fn deref(&self) -> &Module {
        &self.module
    }
}

/// Returns the types of the values of the function at `index`, or an empty table if there is no such function.
///
/// The result of an invalid instruction has no type. If two values have the same id, the table contains the type of the first
/// value. The table's size in memory is proportional to the size of the function, even if the function's ids are high.
pub fn types(module: &Module, index: usize) -> Types {
    module.functions.get(index).map(|function| types_with(function, &module.signatures())).unwrap_or_default()
}

/// Returns the types of a function's values. The caller computes `signatures` once for all functions of the module, because
/// computing them for each function of a large module would take quadratic time.
pub fn types_with(function: &Function, signatures: &[Signature]) -> Types {
    let mut found = Vec::new();
    let mut report = Report { function: None, found: &mut found };
    let sums = &mut interface::Components::default();
    let interface = interface::check(function, &shared::Conflicts::default(), sums, false, &mut report);
    code::check(function, &interface, signatures, false, &mut report)
}

/// Checks the rules about the kinds and names of all functions.
#[derive(Default)]
struct Heads<'a> {
    names: Distinct<&'a str>,
    entries: Distinct<FunctionKind>,
}

impl<'a> Heads<'a> {
    fn check(&mut self, function: &'a Function, report: &mut Report<'_>) {
        if function.kind != FunctionKind::Generic {
            if !self.entries.insert(function.kind, function.kind as u32) {
                report.add(Rule::OneEntry, Detail::None);
            }
            if function.name.is_empty() {
                report.add(Rule::EntryName, Detail::None);
            }
        }
        if !function.name.is_empty() && !self.names.insert(&function.name, hint(&function.name)) {
            report.add(Rule::FunctionNames, Detail::Name(function.name.clone()));
        }
        if limits::has_nul(&function.name) {
            report.add(Rule::NulInName, Detail::Name(function.name.clone()));
        }
    }
}
