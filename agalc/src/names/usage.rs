//! A function's use of an array of constants: the components of each register that it reads, the reads at computed
//! indices, and the registers that are the columns of a matrix.
//!
//! Requires a module that verifies.

use std::collections::BTreeMap;

use sdlbc::{Function, Id, Inst, Op};

/// A multiplication with a matrix whose columns are consecutive registers of the array, or with some columns of such a
/// matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MatrixUse {
    /// The register of its first column.
    pub(super) first: u32,
    /// The number of its columns.
    pub(super) columns: u32,
}

/// A function's use of an array of constants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// By register, the components that are read, as bits.
    reads: BTreeMap<u32, u8>,
    /// The offsets of reads at computed indices, in ascending order.
    indexed: Vec<u32>,
    matrices: Vec<MatrixUse>,
    /// The registers in dot products, each with the other operand.
    dots: Vec<(u32, Id)>,
    /// Whether a read beyond the end of the array depends on its length, because it reads the last element.
    reads_beyond: bool,
}

const ALL: u8 = 0b1111;

impl Usage {
    /// The uses of the array of `length` elements that is the input `array`. A read beyond either end reads the element
    /// at that end.
    pub(super) fn of(function: &Function, array: Id, length: u32) -> Usage {
        let mut usage = Usage::default();
        let last = length.saturating_sub(1);
        // The registers that values equal, and the registers of whose first components values consist.
        let mut whole: BTreeMap<Id, u32> = BTreeMap::new();
        let mut leading: BTreeMap<Id, u32> = BTreeMap::new();
        for inst in function.body.insts() {
            if let (Op::Peek, [of, index], [offset]) = (inst.op, &*inst.inputs, &*inst.immediates)
                && *of == array
            {
                // Offsets are signed.
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
                && inst.lanes().eq(0..inst.lanes().map(|_| 1).sum())
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
                let of: Option<Vec<u32>> = columns.iter().map(register).collect();
                let Some([first, ..]) = of.as_deref() else { return };
                let are_adjacent = of.iter().flatten().zip(*first..).all(|(column, expected)| *column == expected);
                if let Ok(columns) = u32::try_from(columns.len())
                    && are_adjacent
                {
                    self.matrices.push(MatrixUse { first: *first, columns });
                }
            }
            (Op::Dot, [a, b]) => {
                self.dots.extend(register(a).map(|register| (register, *b)));
                self.dots.extend(register(b).map(|register| (register, *a)));
            }
            _ => {}
        }
    }

    /// The components of a register that are read directly, as bits.
    pub(super) fn components(&self, register: u32) -> u8 {
        self.reads.get(&register).copied().unwrap_or(0)
    }

    /// The components of some registers that are read directly, as bits.
    pub(super) fn of_range(&self, first: u32, last: u32) -> u8 {
        self.reads.range(first..=last.max(first)).fold(0, |set, (_, read)| set | read)
    }

    /// The offsets of reads at computed indices that are in a range, in ascending order.
    pub(super) fn indexed(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        self.indexed.iter().copied().filter(move |offset| (first..=last).contains(offset))
    }

    /// Whether any register is read at a computed index.
    pub(super) fn is_indexed(&self) -> bool {
        !self.indexed.is_empty()
    }

    /// Whether the program's results would change if the array were longer.
    pub(super) fn needs_length(&self) -> bool {
        self.is_indexed() || self.reads_beyond
    }

    /// The last register that is read directly.
    pub(super) fn last(&self) -> Option<u32> {
        self.reads.last_key_value().map(|(register, _)| *register)
    }

    /// The number of columns of the largest matrix that begins at a register.
    pub(super) fn matrix_at(&self, first: u32) -> Option<u32> {
        self.matrices.iter().filter(|matrix| matrix.first == first).map(|matrix| matrix.columns).max()
    }

    /// The registers of a matrix that begins before a range, or ends after it, and has some of its registers.
    pub(super) fn matrix_across(&self, first: u32, last: u32) -> Option<(u32, u32)> {
        let registers = |matrix: &MatrixUse| (matrix.first, matrix.first + (matrix.columns - 1));
        let is_across = |&(start, end): &(u32, u32)| start <= last && end >= first && (start < first || end > last);
        self.matrices.iter().map(registers).find(is_across)
    }

    /// Whether a range of registers is used as one matrix: a multiplication has exactly these registers as columns, or
    /// one vector is multiplied with all of them that are read.
    pub(super) fn is_matrix(&self, first: u32, last: u32) -> bool {
        let within = |matrix: &MatrixUse| matrix.first >= first && matrix.first + (matrix.columns - 1) <= last;
        let overlaps = |matrix: &MatrixUse| matrix.first <= last && matrix.first + (matrix.columns - 1) >= first;
        if self.matrices.iter().any(overlaps) {
            return self.matrices.iter().filter(|matrix| overlaps(matrix)).all(within);
        }
        let inside = |register: &u32| (first..=last).contains(register);
        let Some((_, vector)) = self.dots.iter().find(|(register, _)| inside(register)) else { return false };
        let read = self.reads.range(first..=last).filter(|(_, read)| **read != 0);
        first < last
            && read.clone().count() > 1
            && read.into_iter().all(|(register, _)| self.dots.contains(&(*register, *vector)))
    }
}
