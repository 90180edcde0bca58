//! Finds the functions that may discard the fragment, for targets in which a discarded invocation continues, such as WGSL.
//!
//! In WGSL and similar targets, a discarded fragment continues as a helper invocation: the function returns after the discard,
//! and its caller continues. A helper invocation might never leave a LOOP of the caller, so after the call the caller checks a
//! flag, and returns if the fragment was discarded.

use std::collections::{HashMap, HashSet};

use sdlbc::{Function, FunctionKind, Module, Op, flow};

/// Returns the indices of the generic functions that may discard the fragment and of all functions that call such functions.
/// Returns an empty set if no function with a LOOP calls a function that may discard.
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

/// Returns `set`, extended with all functions that call a function of the set, directly or indirectly.
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
