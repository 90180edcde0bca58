//! Fragments that a function which is called discards, in WGSL.
//!
//! A discard does not end a fragment's code there: the function returns behind it, and its caller goes on. Rule: where a
//! caller has a LOOP, which might wait for such a fragment without end, it looks at a flag behind the call and returns.

use std::collections::HashSet;

use sdlbc::{Block, FunctionKind, Module, Op, flow};

/// The generic functions that may discard, themselves or by what they call, if one of them is called where there is a
/// LOOP; else none.
pub(crate) fn watched(module: &Module) -> HashSet<usize> {
    let calls: Vec<_> = module.functions.iter().map(|function| flow::calls(&function.body)).collect();
    let mut discards: HashSet<usize> = HashSet::new();
    let mut waiting = Vec::new();
    let mut callers = vec![Vec::new(); calls.len()];
    for (index, function) in module.functions.iter().enumerate() {
        for callee in &calls[index] {
            if let Some(callers) = callers.get_mut(*callee) {
                callers.push(index);
            }
        }
        if function.kind == FunctionKind::Generic && has(&function.body, Op::Discard) {
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
        has(&function.body, Op::Loop) && calls.iter().any(|callee| discards.contains(callee))
    };
    if module.functions.iter().zip(&calls).any(waits) { discards } else { HashSet::new() }
}

/// Whether a block, or a block in it, has the operation.
pub(crate) fn has(block: &Block, op: Op) -> bool {
    block.iter().any(|inst| inst.op == op || inst.blocks.iter().any(|block| has(block, op)))
}
