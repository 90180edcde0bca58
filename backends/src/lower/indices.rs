//! Shares the clamped indices of memory accesses: if an access is always preceded by another with the same index, both use one clamp.
//!
//! Rule: an index is shared only among accesses whose clamps have the same bounds, which [`Bounds`] identifies. A shared index has a
//! name in text output, because its expression must be computed once, at the first of the accesses.

use std::collections::{HashMap, HashSet};

use sdlbc::verify::Types;
use sdlbc::{Block, Function, Id, InputKind, Op, Type};

use super::state::Value;

/// The bounds of a clamped index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bounds {
    /// The bounds of a storage buffer, whose length is unknown.
    Buffer(Id),
    /// The bounds of an array or a matrix with this length.
    Length(u32),
}

/// An index before the clamp: the bounds, the computed index or [`Id::NONE`], and the offset that is added to it.
pub(super) type Index = (Bounds, Id, i32);

/// The indices that several accesses of a function share.
#[derive(Debug, Default)]
pub(super) struct Indices {
    shared: HashSet<Index>,
    /// The clamped indices that are available at the current point of the code.
    known: HashMap<Index, Value>,
    /// The indices in `known`, in the order in which they became available.
    added: Vec<Index>,
}

impl Indices {
    /// Finds the shared indices of a function. Functions that only read arrays of constants share none, because equal reads of
    /// constants are one value already.
    pub(super) fn of(function: &Function, types: &Types) -> Indices {
        let has_memory = function.inputs.iter().any(|input| {
            let kind = input.kind;
            kind.is_variable() || matches!(kind, InputKind::Buffer { .. })
        });
        let mut indices = Indices::default();
        if has_memory {
            let mut search = Search { types, seen: HashSet::new(), shared: HashSet::new() };
            search.block(function.body.block());
            indices.shared = search.shared;
        }
        indices
    }

    pub(super) fn is_shared(&self, index: Index) -> bool {
        self.shared.contains(&index)
    }

    /// Returns the clamped index if an access before the current point has computed it.
    pub(super) fn get(&self, index: Index) -> Option<Value> {
        self.known.get(&index).copied()
    }

    /// Records a clamped index until the end of the current block.
    pub(super) fn insert(&mut self, index: Index, value: Value) {
        if self.known.insert(index, value).is_none() {
            self.added.push(index);
        }
    }

    pub(super) fn checkpoint(&self) -> usize {
        self.added.len()
    }

    /// Forgets the indices that were recorded since the checkpoint.
    pub(super) fn restore(&mut self, point: usize) {
        for index in self.added.drain(point.min(self.added.len())..) {
            self.known.remove(&index);
        }
    }
}

/// Returns the memory and the index of an instruction that reads or writes an element.
pub(super) fn accessed(op: Op, inputs: &[Id]) -> Option<(Id, Id)> {
    match (op, inputs) {
        (Op::Peek, &[of, index]) | (Op::Poke, &[_, of, index]) => Some((of, index)),
        (op, &[of, index, ..]) if op.is_atomic() => Some((of, index)),
        _ => None,
    }
}

struct Search<'f> {
    types: &'f Types,
    /// The indices of the accesses that are executed before the current point.
    seen: HashSet<Index>,
    shared: HashSet<Index>,
}

impl Search<'_> {
    fn block(&mut self, block: Block<'_>) {
        let mut own = Vec::new();
        for inst in block {
            let index = accessed(inst.op, &inst.inputs).and_then(|(of, index)| self.index(of, index, &inst.immediates));
            if let Some(index) = index {
                match self.seen.insert(index) {
                    true => own.push(index),
                    false => _ = self.shared.insert(index),
                }
            }
            for nested in inst.blocks() {
                self.block(nested);
            }
        }
        for index in own {
            self.seen.remove(&index);
        }
    }

    fn index(&self, of: Id, index: Id, immediates: &[u32]) -> Option<Index> {
        let offset = immediates.first().copied().unwrap_or(0).cast_signed();
        let bounds = match self.types.get(of)? {
            Type::Buffer(..) => Bounds::Buffer(of),
            _ if !index.is_some() => return None,
            Type::Matrix { columns, .. } => Bounds::Length(u32::from(columns)),
            Type::Array(_, _, length) => Bounds::Length(length),
            _ => return None,
        };
        Some((bounds, index, offset))
    }
}
