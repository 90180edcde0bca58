//! Fragments that a called function discards, in WGSL.
//!
//! In WGSL, a discarded fragment continues as a helper invocation: the function returns after the discard, and its
//! caller continues. If the caller has a LOOP, the helper invocation might never leave it, so the caller checks a flag
//! after the call and returns.

use std::collections::HashSet;

use sdlbc::{FunctionKind, Module, Op, flow};

/// Returns the generic functions that may discard, themselves or through calls, if one of them is called by a function with
/// a LOOP; otherwise none.
pub(crate) fn watched(module: &Module) -> HashSet<usize> {
    let calls: Vec<_> = module.functions.iter().map(|function| flow::calls(function.body.block())).collect();
    let mut discards: HashSet<usize> = HashSet::new();
    let mut waiting = Vec::new();
    let mut callers = vec![Vec::new(); calls.len()];
    for (index, function) in module.functions.iter().enumerate() {
        for callee in &calls[index] {
            if let Some(callers) = callers.get_mut(*callee) {
                callers.push(index);
            }
        }
        if function.kind == FunctionKind::Generic && function.body.ops().has(Op::Discard) {
            discards.insert(index);
            waiting.push(index);
        }
    }
    while let Some(callee) = waiting.pop() {
        for &caller in callers.get(callee).into_iter().flatten() {
            let generic = module.functions.get(caller).is_some_and(|caller| caller.kind == FunctionKind::Generic);
            if generic && discards.insert(caller) {
                waiting.push(caller);
            }
        }
    }
    let waits = |(function, calls): (&sdlbc::Function, &std::collections::BTreeSet<usize>)| {
        function.body.ops().has(Op::Loop) && calls.iter().any(|callee| discards.contains(callee))
    };
    if module.functions.iter().zip(&calls).any(waits) { discards } else { HashSet::new() }
}
