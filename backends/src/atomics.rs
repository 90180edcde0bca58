//! Finds the memory that atomic operations change.
//!
//! Rule: if any function changes a storage buffer by an atomic operation, every function reads and writes that buffer
//! atomically, because the elements have an atomic type in the targets' languages.

use std::collections::BTreeSet;

use sdlbc::{Id, Input, InputKind, Module, OpSet};

/// The storage buffers and shared arrays of a module whose elements are atomic.
#[derive(Debug, Default)]
pub(crate) struct Atomics {
    /// The slots of the storage buffers.
    slots: BTreeSet<u32>,
    /// The shared arrays: the index of the function and the id of the input.
    shared: BTreeSet<(usize, Id)>,
}

impl Atomics {
    /// `ops` contains the operations of each function.
    pub(crate) fn of(module: &Module, ops: &[OpSet]) -> Atomics {
        let mut found = Atomics::default();
        let functions = module.functions.iter().enumerate().zip(ops);
        for ((index, function), _) in functions.filter(|(_, ops)| ops.has_any(OpSet::ATOMIC)) {
            let atomics = function.body.insts().iter().filter(|inst| inst.op.is_atomic());
            let changed: BTreeSet<Id> = atomics.filter_map(|inst| inst.inputs.first().copied()).collect();
            for input in function.inputs.iter().filter(|input| changed.contains(&input.id)) {
                match input.kind {
                    InputKind::Buffer { slot, .. } => _ = found.slots.insert(slot),
                    _ => _ = found.shared.insert((index, input.id)),
                }
            }
        }
        found
    }

    /// Reports whether the elements of an input of the function at `index` are atomic.
    pub(crate) fn has(&self, index: usize, input: &Input) -> bool {
        match input.kind {
            InputKind::Buffer { slot, .. } => self.slots.contains(&slot),
            _ => self.shared.contains(&(index, input.id)),
        }
    }
}
