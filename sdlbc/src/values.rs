//! The values of a function under construction, and the table in which the builder finds common subexpressions.
//!
//! Rule: the key of a value consists of its operation, operands and immediates, and the block in which the value was computed.
//! Each value stores its own key, so the table contains only ids.

use crate::facts::Set;
use crate::inst::word;
use crate::name::Name;
use crate::{Id, Op, Type};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Value {
    pub(crate) ty: Type,
    pub(crate) facts: Set,
    /// The number of open blocks at the value's definition; 1 means the function's outermost block.
    pub(crate) depth: u32,
    pub(crate) origin: Origin,
    pub(crate) used: bool,
    /// The value's id in the finished function.
    pub(crate) number: Id,
    pub(crate) name: Option<Name>,
    pub(crate) key: Key,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// An input other than a local slot.
    Input,
    /// A local slot; two reads of a local slot may return different values.
    Slot,
    /// A constant, or the result of a swizzle or an element read.
    Plain,
    /// The result of an operation that computes a new value.
    Computed,
}

impl Value {
    pub(crate) fn new(ty: Type, facts: Set, depth: usize, origin: Origin) -> Value {
        Value { ty, facts, depth: word(depth), origin, used: false, number: Id::NONE, name: None, key: Key::NONE }
    }

    pub(crate) fn is_input(&self) -> bool {
        matches!(self.origin, Origin::Input | Origin::Slot)
    }
}

/// The key by which the builder finds an equal computation: operation, operands, immediates and block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    hash: u32,
    block: u32,
    /// The operation's number in the low 16 bits, and the counts of operands and immediates in the high 16 bits.
    op: u32,
    /// The operands, stored from the front, and the immediates, stored from the end.
    words: [u32; 4],
}

impl Key {
    pub(crate) const NONE: Key = Key { hash: 0, block: 0, op: 0, words: [0; 4] };

    /// Creates the key of an operation in a block. The operation must have at most four operands and immediates in total.
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

    #[inline]
    pub(crate) fn within(self, block: u32) -> Key {
        const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let [a, b, c, d] = self.words;
        let add = |hash: u64, part: u64| (hash.rotate_left(5) ^ part).wrapping_mul(FACTOR);
        let hash = add(add(add(0, pair(self.op, block)), pair(a, b)), pair(c, d));
        Key { hash: (hash >> 32) as u32, block, ..self }
    }
}

/// The maximum number of table entries that are probed for a key, so that a hostile file with colliding keys does not take
/// quadratic time. A value whose key is not found within this limit is computed again.
const PROBES: usize = 128;

#[derive(Debug)]
pub(crate) struct Values {
    all: Vec<Value>,
    /// A hash table from keys to ids, at most half full.
    table: Vec<Id>,
    filled: usize,
}

impl Values {
    pub(crate) fn with_capacity(count: usize) -> Values {
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

    pub(crate) fn since(&mut self, first: Id) -> &mut [Value] {
        self.all.get_mut((first.0 as usize).wrapping_sub(1)..).unwrap_or_default()
    }

    pub(crate) fn mark_used(&mut self, id: Id) {
        if let Some(value) = self.get_mut(id) {
            value.used = true;
        }
    }

    #[inline]
    pub(crate) fn number(&self, id: Id) -> Id {
        self.get(id).map_or(Id::NONE, |value| value.number)
    }

    /// Reports whether every result is an operand of an instruction.
    pub(crate) fn are_used(&self) -> bool {
        self.all.iter().all(|value| value.used || value.is_input())
    }

    /// Marks each value as used or unused. `used` is indexed by id.
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

    /// Stores the newest value's id at `index`, a free table entry that [`Values::find`] returned.
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

    /// Returns the id of the value that has the key. If no value has the key, the error is the index of a free entry, or
    /// `usize::MAX` if no probed entry is free.
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

    /// Returns the index and id of each table entry that is probed for a hash. A key is never stored beyond the first free entry,
    /// and is not stored at all if no probed entry is free.
    fn probe(&self, hash: u32) -> impl Iterator<Item = (usize, Id)> {
        // The size of the hash table is a power of two.
        let mask = self.table.len() - 1;
        let first = hash as usize;
        let indices = (first..).take(PROBES).map(move |index| index & mask);
        indices.map_while(|index| Some((index, *self.table.get(index)?)))
    }
}
