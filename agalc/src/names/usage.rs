//! A function's use of an array of constants: the components that the function reads, the reads at computed indices, and the
//! registers that are matrix columns.
//!
//! Requires a verified module.

use std::collections::BTreeMap;

use sdlbc::{Function, Id, Inst, Op};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// The components that are read from each register, as a bit mask.
    reads: BTreeMap<u32, u8>,
    /// The base registers of reads at computed indices, in ascending order.
    indexed: Vec<u32>,
    /// The first and the last register of each matrix whose columns are consecutive registers.
    matrices: Vec<(u32, u32)>,
    /// The constant register and the other operand of each dot product with a constant.
    dots: Vec<(u32, Id)>,
    /// Whether the function reads beyond the end of the array. Such a read returns the last element, so the result depends on the
    /// array's length.
    reads_beyond: bool,
}

const ALL: u8 = 0b1111;

impl Usage {
    /// Collects the reads of the input `array`, which has `length` elements. A read beyond either end of the array returns the
    /// element at that end.
    pub(super) fn of(function: &Function, array: Id, length: u32) -> Usage {
        let mut usage = Usage::default();
        let last = length.saturating_sub(1);
        // `whole` maps each value to the register that it equals, and `leading` maps each value to the register whose first
        // components it contains.
        let mut whole: BTreeMap<Id, u32> = BTreeMap::new();
        let mut leading: BTreeMap<Id, u32> = BTreeMap::new();
        for inst in function.body.insts() {
            if let (Op::Peek, [of, index], [offset]) = (inst.op, &*inst.inputs, &*inst.immediates)
                && *of == array
            {
                // The offset is signed, and a negative offset reads the first element.
                let offset = if i32::try_from(*offset).is_ok() { *offset } else { 0 };
                let register = offset.min(last);
                usage.reads_beyond |= offset > last;
                if index.is_some() {
                    usage.indexed.push(register);
                } else {
                    usage.reads.entry(register).or_default();
                    whole.insert(inst.output, register);
                    leading.insert(inst.output, register);
                }
                continue;
            }
            usage.note(inst, &whole, &leading);
            if let (Op::Swizzle, [of]) = (inst.op, &*inst.inputs)
                && let Some(&register) = whole.get(of)
                && inst.lanes().zip(0..).all(|(lane, component)| lane == component)
            {
                leading.insert(inst.output, register);
            }
        }
        usage.indexed.sort_unstable();
        usage.indexed.dedup();
        usage
    }

    fn note(&mut self, inst: &Inst, whole: &BTreeMap<Id, u32>, leading: &BTreeMap<Id, u32>) {
        for register in inst.inputs.iter().filter_map(|id| whole.get(id)) {
            let read = match inst.op {
                Op::Swizzle => inst.lanes().fold(0, |set, lane| set | 1 << lane),
                _ => ALL,
            };
            *self.reads.entry(*register).or_default() |= read;
        }
        let register = |id: &Id| leading.get(id).copied();
        match (inst.op, &*inst.inputs) {
            (Op::Matrix, columns) => {
                let columns: Vec<u32> = columns.iter().map_while(register).collect();
                if columns.len() == inst.inputs.len()
                    && let (Some(&first), Some(&last)) = (columns.first(), columns.last())
                    && columns.iter().copied().eq(first..=last)
                {
                    self.matrices.push((first, last));
                }
            }
            (Op::Dot, [a, b]) => {
                self.dots.extend(register(a).map(|register| (register, *b)));
                self.dots.extend(register(b).map(|register| (register, *a)));
            }
            _ => {}
        }
    }

    /// Returns the components of a register that are read directly, as a bit mask.
    pub(super) fn components(&self, register: u32) -> u8 {
        self.reads.get(&register).copied().unwrap_or(0)
    }

    /// Returns the components that are read directly in any register of a range, as a bit mask.
    pub(super) fn of_range(&self, first: u32, last: u32) -> u8 {
        self.reads.range(first..=last.max(first)).fold(0, |set, (_, read)| set | read)
    }

    /// Returns the bases of reads at computed indices within a range, in ascending order.
    pub(super) fn indexed(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        self.indexed.iter().copied().filter(move |offset| (first..=last).contains(offset))
    }

    pub(super) fn is_indexed(&self) -> bool {
        !self.indexed.is_empty()
    }

    /// Reports whether lengthening the array would change the program's results.
    pub(super) fn needs_length(&self) -> bool {
        self.is_indexed() || self.reads_beyond
    }

    /// Returns the last register that is read directly.
    pub(super) fn last(&self) -> Option<u32> {
        self.reads.last_key_value().map(|(register, _)| *register)
    }

    /// Returns the number of columns of the largest matrix that begins at a register, or `None` if no matrix begins there.
    pub(super) fn matrix_at(&self, first: u32) -> Option<u32> {
        self.matrices.iter().filter(|(start, _)| *start == first).map(|(_, end)| end - first + 1).max()
    }

    /// Returns the first and the last register of a matrix that overlaps a range without lying inside the range.
    pub(super) fn matrix_across(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        let is_across = |&(start, end): &(u32, u32)| start <= last && end >= first && (start < first || end > last);
        self.matrices.iter().copied().find(is_across)
    }

    /// Reports whether a range of registers is used as one matrix. Any matrix that overlaps the range must lie inside it. If
    /// there is no such matrix, dot products must multiply one vector by every register that is read in the range.
    pub(super) fn is_matrix(&self, first: u32, last: u32) -> bool {
        let mut overlapping = self.matrices.iter().filter(|(start, end)| *start <= last && *end >= first).peekable();
        if overlapping.peek().is_some() {
            return overlapping.all(|(start, end)| *start >= first && *end <= last);
        }
        let inside = |register: &u32| (first..=last).contains(register);
        let Some((_, vector)) = self.dots.iter().find(|(register, _)| inside(register)) else { return false };
        let read = self.reads.range(first..=last).filter(|(_, read)| **read != 0);
        first < last
            && read.clone().count() > 1
            && read.into_iter().all(|(register, _)| self.dots.contains(&(*register, *vector)))
    }
}
