//! Called functions that may discard the fragment, for targets where a discarded invocation continues, such as WGSL.
//!
//! There, a discarded fragment continues as a helper invocation: the function returns after the discard, and its caller
//! continues. If the caller has a LOOP, the helper invocation might never leave it, so the caller checks a flag
//! after the call and returns.

use std::collections::{HashMap, HashSet};

use sdlbc::{Function, FunctionKind, Module, Op, flow};

/// Returns the generic functions that may discard, and all functions that call them, if a function with a LOOP calls one of them;
/// otherwise none.
pub(crate) fn discarding(module: &Module) -> HashSet<usize> {
    let discard = |function: &Function| function.kind == FunctionKind::Generic && function.body.ops().has(Op::Discard);
    let functions = module.functions.iter().enumerate();
    let discards = functions.filter(|(_, function)| discard(function)).map(|(index, _)| index).collect();
    let discards = with_callers(module, discards);
    let waits = |function: &Function| {
        function.body.ops().has(Op::Loop)
            && flow::calls(function.body.block()).iter().any(|callee| discards.contains(callee))
    };
    if module.functions.iter().any(waits) { discards } else { HashSet::new() }
}

/// Adds the functions that call a function of the set, directly or through other functions.
pub(crate) fn with_callers(module: &Module, mut set: HashSet<usize>) -> HashSet<usize> {
    if set.is_empty() {
        return set;
    }
    let mut waiting: Vec<usize> = set.iter().copied().collect();
    let mut callers: HashMap<usize, Vec<usize>> = HashMap::new();
    for (caller, function) in module.functions.iter().enumerate() {
        let callees = flow::calls(function.body.block());
        callees.into_iter().for_each(|callee| callers.entry(callee).or_default().push(caller));
    }
    while let Some(callee) = waiting.pop() {
        waiting.extend(callers.get(&callee).into_iter().flatten().filter(|&&caller| set.insert(caller)));
    }
    set
}
