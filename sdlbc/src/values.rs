//! The values of a function that is being built, and the table in which the builder finds common subexpressions.
//!
//! Rule: the key of a value is its operation, operands and immediates, and the block in which it was computed. The table
//! contains only ids; the keys are stored with the values.

use crate::facts::Set;
use crate::inst::word;
use crate::name::Name;
use crate::{Id, Op, Type};

/// A value, with the facts known about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) ty: Type,
    pub(crate) facts: Set,
    /// The number of blocks that were open at its definition: 1 is the function's own block.
    pub(crate) depth: u32,
    pub(crate) origin: Origin,
    /// Whether the value is an operand of an instruction.
    pub(crate) used: bool,
    /// The id in the finished function.
    pub(crate) number: Id,
    pub(crate) name: Option<Name>,
    pub(crate) key: Key,
}

/// The origin of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An input that is not a local slot.
    Input,
    /// An input that is a local slot, so two reads of it may return different values.
    Slot,
    /// A constant, a swizzle or an element read.
    Plain,
    /// Any other operation.
    Computed,
}

impl Value {
    /// A value that is not entered in the table.
    pub(crate) fn new(ty: Type, facts: Set, depth: usize, origin: Origin) -> Value {
        Value { ty, facts, depth: word(depth), origin, used: false, number: Id::NONE, name: None, key: Key::NONE }
    }

    pub(crate) fn is_input(&self) -> bool {
        matches!(self.origin, Origin::Input | Origin::Slot)
    }
}

/// An operation with its operands and immediates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    hash: u32,
    /// The block in which the operation is computed.
    block: u32,
    /// The operation's number in the low 16 bits, then the numbers of operands and immediates.
    op: u32,
    /// The operands from the front, and the immediates from the end.
    words: [u32; 4],
}

impl Key {
    pub(crate) const NONE: Key = Key { hash: 0, block: 0, op: 0, words: [0; 4] };

    /// The key in a block. There are at most four operands and immediates together.
    #[inline]
    pub(crate) fn new<const INPUTS: usize, const IMMEDIATES: usize>(
        op: Op,
        inputs: [Id; INPUTS],
        immediates: [u32; IMMEDIATES],
        block: u32,
    ) -> Key {
        const { assert!(INPUTS + IMMEDIATES <= 4) };
        let mut words = [0; 4];
        words.iter_mut().zip(inputs).for_each(|(word, id)| *word = id.0);
        words.iter_mut().rev().zip(immediates).for_each(|(word, immediate)| *word = immediate);
        let form = const { (INPUTS << 3 | IMMEDIATES) << 16 };
        #[expect(clippy::cast_possible_truncation, reason = "at most four each")]
        Key { hash: 0, block: 0, op: op.number() | form as u32, words }.within(block)
    }

    /// The key of the same operation in another block.
    #[inline]
    pub(crate) fn within(self, block: u32) -> Key {
        // An odd number whose bits look random.
        const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [a, b, c, d] = self.words;
        let add = |hash: u64, part: u64| (hash.rotate_left(5) ^ part).wrapping_mul(FACTOR);
        let hash = add(add(add(0, pair(self.op, block)), pair(a, b)), pair(c, d));
        Key { hash: (hash >> 32) as u32, block, ..self }
    }
}

/// The maximum number of probes for a key, so that keys chosen to collide do not take quadratic time. After that many
/// probes, the value is computed again.
const PROBES: usize = 128;

/// All values of a function, by id.
#[derive(Debug)]
pub(crate) struct Values {
    all: Vec<Value>,
    /// A hash table of ids by their keys; at least half of the entries are free.
    table: Vec<Id>,
    /// The number of ids in the table.
    filled: usize,
}

impl Values {
    /// An empty table with memory reserved for this many instructions.
    pub(crate) fn with_capacity(count: usize) -> Values {
        // Some instructions have no value of their own.
        let size = (count.clamp(8, 1 << 20) * 3 / 2).next_power_of_two();
        Values { all: Vec::with_capacity(count), table: vec![Id::NONE; size], filled: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn get(&self, id: Id) -> Option<&Value> {
        self.all.get((id.0 as usize).wrapping_sub(1))
    }

    pub(crate) fn get_mut(&mut self, id: Id) -> Option<&mut Value> {
        self.all.get_mut((id.0 as usize).wrapping_sub(1))
    }

    /// The values from `first` on.
    pub(crate) fn since(&mut self, first: Id) -> &mut [Value] {
        self.all.get_mut((first.0 as usize).wrapping_sub(1)..).unwrap_or_default()
    }

    /// Marks a value as the operand of an instruction.
    pub(crate) fn mark_used(&mut self, id: Id) {
        if let Some(value) = self.get_mut(id) {
            value.used = true;
        }
    }

    /// The id of a value in the finished function, if the function contains the value.
    #[inline]
    pub(crate) fn number(&self, id: Id) -> Id {
        self.get(id).map_or(Id::NONE, |value| value.number)
    }

    /// Whether every result is an operand.
    pub(crate) fn are_used(&self) -> bool {
        self.all.iter().all(|value| value.used || value.is_input())
    }

    /// Sets by id whether each value is an operand.
    pub(crate) fn set_used(&mut self, used: &[bool]) {
        for (value, used) in self.all.iter_mut().zip(used.iter().skip(1)) {
            value.used = *used;
        }
    }

    pub(crate) fn next_id(&self) -> Id {
        Id(word(self.all.len()).saturating_add(1))
    }

    #[inline]
    pub(crate) fn push(&mut self, value: Value) -> Id {
        let id = self.next_id();
        self.all.push(value);
        id
    }

    /// Enters the last value in the table, at the index of a free entry that [`Values::find`] returned.
    #[inline]
    pub(crate) fn record_last(&mut self, index: usize) {
        let last = u32::try_from(self.all.len()).unwrap_or(0);
        if let Some(entry) = self.table.get_mut(index) {
            *entry = Id(last);
        }
        self.filled += 1;
        if self.filled * 2 > self.table.len() {
            self.enlarge();
        }
    }

    /// The value with a key; otherwise the index of the free entry for the key.
    #[inline]
    pub(crate) fn find(&self, key: &Key) -> Result<Id, usize> {
        for (index, id) in self.probe(key.hash) {
            match self.get(id) {
                None => return Err(index),
                Some(value) if value.key == *key => return Ok(id),
                Some(_) => {}
            }
        }
        Err(usize::MAX)
    }

    #[cold]
    fn enlarge(&mut self) {
        let larger = vec![Id::NONE; self.table.len() * 2];
        for id in std::mem::replace(&mut self.table, larger) {
            let Some(hash) = self.get(id).map(|value| value.key.hash) else { continue };
            let free = self.probe(hash).find(|&(_, entry)| entry == Id::NONE);
            if let Some(entry) = free.and_then(|(index, _)| self.table.get_mut(index)) {
                *entry = id;
            }
        }
    }

    /// The indices of the entries that a key with this hash may have, with their ids. The key is not after the first free entry;
    /// if none of them is free, it cannot be entered.
    fn probe(&self, hash: u32) -> impl Iterator<Item = (usize, Id)> {
        // The size is a power of two.
        let mask = self.table.len() - 1;
        let first = hash as usize;
        let indices = (first..).take(PROBES).map(move |index| index & mask);
        indices.map_while(|index| Some((index, *self.table.get(index)?)))
    }
}
