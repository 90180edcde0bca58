//! What a module must keep, beyond being readable: the rules, and all the places where it does not keep them.
//!
//! Rule: each condition is one [`Rule`] with a number that stays, every violation is reported in reading order, and a
//! fault is reported once, where it is: what follows from it alone is passed over. A backend may take for granted what
//! these rules say. Time is in proportion to the module, times the depth of nesting, and nothing recurses deeper than
//! [`limits::NESTING`]. Scopes: a value is visible from behind its instruction to the end of its block, blocks inside
//! included; PHIs alone reach further (`code.rs`).

mod code;
mod debug;
mod interface;
mod phi;
mod rules;
mod shared;
mod values;
mod ways;

use std::collections::HashSet;

pub use rules::{Detail, Rule, Violation};
pub use values::Types;

use crate::calls::Calls;
use crate::codec::places::{Places, places};
use crate::{Function, FunctionKind, Id, Module, Signature, limits};

/// Says everything that is wrong with a module.
///
/// ```
/// use sdlbc::{Function, Id, Inst, Module, Op, verify};
///
/// let body = vec![Inst::new(Op::Negate, Id(2), &[Id(1)], &[])];
/// let module = Module { functions: vec![Function { body, ..Function::default() }], ..Module::default() };
/// let violations = verify(&module).expect_err("nobody defines %1");
/// assert!(violations[0].to_string().starts_with("V05: "));
/// assert_eq!((violations[0].instruction, violations[0].offset), (Some(0), Some(52)));
/// ```
///
/// # Errors
/// The violations, in reading order; there is at least one, and at most [`limits::VIOLATIONS`] are told.
pub fn verify(module: &Module) -> Result<(), Vec<Violation>> {
    let mut found = Vec::new();
    let calls = Calls::new(module);
    for (counted, count) in limits::over(module) {
        let (rule, detail) = (Rule::Limits, Detail::Over(counted, count));
        let violation = Violation { rule, function: None, instruction: None, offset: None, detail };
        tell(&mut found, violation, At::Code);
    }
    let of_kind = |kind| {
        let functions = module.functions.iter().enumerate();
        functions.filter(move |(_, function)| function.kind == kind).map(|(index, _)| index)
    };
    let by_vertex = calls.reached(of_kind(FunctionKind::Vertex));
    let shared = shared::conflicts(module, &calls);
    let signatures = module.signatures();
    let mut recursions = calls.recursions().into_iter().peekable();
    let mut heads = Heads::default();
    let mut slots = 0;
    let mut values = Vec::with_capacity(module.functions.len());
    for (index, function) in module.functions.iter().enumerate() {
        let mut report = Report { function: index, found: &mut found };
        heads.check(function, &mut report);
        let interface = interface::check(function, &shared, &mut slots, &mut report);

        let code = report.found.len();
        while let Some(call) = recursions.next_if(|call| call.function == index) {
            let callee = u32::try_from(call.callee).unwrap_or(u32::MAX);
            report.add_at(call.instruction, Rule::Recursion, Detail::Index(callee));
        }
        let by_vertex = by_vertex.get(index) == Some(&true);
        values.push(code::check(function, &interface, &signatures, by_vertex, &mut report));
        // Nearly in order already: what is found at a LOOP's end may be about its head.
        if let Some(code) = report.found.get_mut(code..) {
            code.sort_by_key(|(violation, _)| violation.instruction.unwrap_or(usize::MAX));
        }
    }
    debug::check(module, &calls, &values, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let places = places(module);
    let located = |(mut violation, at): (Violation, At)| {
        violation.offset = at.offset(&violation, &places);
        violation
    };
    Err(found.into_iter().map(located).collect())
}

/// The types of the values of the function at `index`; none if there is no such function.
///
/// A function that does not verify has its types too, as far as they can be told: a value of a wrong instruction has
/// none, and of two values with one id the first counts. Memory is in proportion to the function, whatever its ids.
pub fn types(module: &Module, index: usize) -> Types {
    module.functions.get(index).map(|function| types_with(function, &module.signatures())).unwrap_or_default()
}

/// The same of a function of a module whose signatures are known. (To make them anew for each function of a large
/// module would take time out of proportion.)
pub fn types_with(function: &Function, signatures: &[Signature]) -> Types {
    let mut found = Vec::new();
    let mut report = Report { function: 0, found: &mut found };
    let interface = interface::check(function, &shared::Conflicts::default(), &mut 0, &mut report);
    code::check(function, &interface, signatures, false, &mut report)
}

/// What is asked of the functions together.
#[derive(Default)]
struct Heads<'a> {
    names: HashSet<&'a str>,
    entries: HashSet<FunctionKind>,
}

impl<'a> Heads<'a> {
    fn check(&mut self, function: &'a Function, report: &mut Report<'_>) {
        if function.kind != FunctionKind::Generic {
            if !self.entries.insert(function.kind) {
                report.add(Rule::OneEntry, Detail::None);
            }
            if function.name.is_empty() {
                report.add(Rule::EntryName, Detail::None);
            }
        }
        if !function.name.is_empty() && !self.names.insert(&function.name) {
            report.add(Rule::FunctionNames, Detail::Name(function.name.clone()));
        }
        if function.name.contains('\0') {
            report.add(Rule::NulInName, Detail::Name(function.name.clone()));
        }
    }
}

/// What a violation stands at, where its function and instruction do not say it.
#[derive(Clone, Copy, Debug)]
enum At {
    /// The instruction, or else the function.
    Code,
    /// An input.
    Input(usize),
    /// An output.
    Output(usize),
    /// The debug table.
    Debug,
    /// One of its sources.
    Source(usize),
    /// One of its functions.
    DebugFunction(usize),
}

impl At {
    fn offset(self, violation: &Violation, places: &Places) -> Option<usize> {
        let function = violation.function.and_then(|index| places.functions.get(index));
        match self {
            At::Code => match violation.instruction {
                Some(instruction) => function?.instructions.get(instruction).copied(),
                None => Some(function?.at),
            },
            At::Input(index) => function?.inputs.get(index).copied(),
            At::Output(index) => function?.outputs.get(index).copied(),
            At::Debug => places.debug,
            At::Source(index) => places.sources.get(index).copied(),
            // One that says nothing has no record.
            At::DebugFunction(index) => places.debug_functions.get(index).copied(),
        }
    }
}

/// What is found, and where.
type Found = Vec<(Violation, At)>;

/// Tells a violation, if there is room for one more: a hostile module breaks rules in every word, and what is said of it
/// stays small.
fn tell(found: &mut Found, violation: Violation, at: At) {
    if found.len() < limits::VIOLATIONS {
        found.push((violation, at));
    }
}

/// Where the violations of one function go.
struct Report<'a> {
    function: usize,
    found: &'a mut Found,
}

impl Report<'_> {
    /// A violation of the function as a whole.
    fn add(&mut self, rule: Rule, detail: Detail) {
        self.put(None, rule, detail, At::Code);
    }

    /// A violation at an instruction.
    fn add_at(&mut self, instruction: usize, rule: Rule, detail: Detail) {
        self.put(Some(instruction), rule, detail, At::Code);
    }

    fn put(&mut self, instruction: Option<usize>, rule: Rule, detail: Detail, at: At) {
        let function = Some(self.function);
        tell(self.found, Violation { rule, function, instruction, offset: None, detail }, at);
    }

    fn id(&mut self, instruction: usize, rule: Rule, id: Id) {
        self.add_at(instruction, rule, Detail::Id(id));
    }
}
