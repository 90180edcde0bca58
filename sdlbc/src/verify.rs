//! The verifier, which checks the rules for modules and reports every violation.
//!
//! Rule: each condition is one [`Rule`] with a fixed number. Violations are reported in reading order. A fault is reported
//! once, where it occurs; violations that only follow from it are not reported. Backends may rely on these rules. Time is
//! proportional to the module times the nesting depth, and nothing recurses deeper than [`limits::NESTING`]. Scopes: a value is
//! visible from the end of its instruction to the end of its block, including nested blocks; only PHIs reach further
//! (`code.rs`).

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

/// Verifies a module.
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
/// The violations, in reading order; at least one, and at most [`limits::VIOLATIONS`].
pub fn verify(module: &Module) -> Result<(), Vec<Violation>> {
    verified(module).map(drop)
}

/// Verifies a module, and returns the types of the values of each function, as [`types`] does.
///
/// # Errors
/// The errors of [`verify()`].
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
    // `drawn` is only needed if the module writes to memory.
    let inputs = || module.functions.iter().flat_map(|function| &function.inputs);
    let drawn = if inputs().any(|input| input.kind.is_seen_by_others()) {
        calls.reached(of_kind(FunctionKind::Vertex).chain(of_kind(FunctionKind::Fragment)))
    } else {
        Vec::new()
    };
    let is_mixed = of_kind(FunctionKind::Compute).next().is_some()
        && of_kind(FunctionKind::Vertex).chain(of_kind(FunctionKind::Fragment)).next().is_some();
    let shared = shared::conflicts(module, &calls);
    // Only CALLs need the signatures.
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
        // The violations are almost sorted: only violations at the head of a LOOP are found late, at its end.
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

/// A module that has been verified, with the types of its values. Its users need not verify it again.
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
    /// Verifies a module.
    ///
    /// # Errors
    /// The errors of [`verify()`].
    pub fn new(module: Module) -> Result<Verified, Vec<Violation>> {
        let types = verified(&module)?;
        Ok(Verified { module, types })
    }

    /// Changes the module and the types of its values. This is for passes, whose results verify: the result of `change` is
    /// verified again only in debug builds.
    pub fn rewritten(mut self, change: impl FnOnce(&mut Module, &mut [Types])) -> Verified {
        change(&mut self.module, &mut self.types);
        debug_assert_eq!(verify(&self.module), Ok(()), "a pass breaks the rules");
        self
    }

    /// The types of the values of each function.
    pub fn types(&self) -> &[Types] {
        &self.types
    }

    /// The module.
    pub fn into_module(self) -> Module {
        self.module
    }

    /// The module, and the types of the values of each function.
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

/// The types of the values of the function at `index`; empty if there is no such function.
///
/// In a function that does not verify, the result of an invalid instruction has no type, and if two values have the same id,
/// the type is that of the first. Memory is proportional to the function, whatever its ids are.
pub fn types(module: &Module, index: usize) -> Types {
    module.functions.get(index).map(|function| types_with(function, &module.signatures())).unwrap_or_default()
}

/// The types of the values of a function. `signatures` are those of its module's functions; the caller computes them once,
/// because computing them for each function of a large module would take quadratic time.
pub fn types_with(function: &Function, signatures: &[Signature]) -> Types {
    let mut found = Vec::new();
    let mut report = Report { function: None, found: &mut found };
    let sums = &mut interface::Components::default();
    let interface = interface::check(function, &shared::Conflicts::default(), sums, false, &mut report);
    code::check(function, &interface, signatures, false, &mut report)
}

/// The rules about the kinds and names of all functions.
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
