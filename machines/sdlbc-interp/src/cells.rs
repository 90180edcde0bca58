//! Allocates registers to the components of values, according to live ranges.
//!
//! A cell is one component of an instruction's result. The live range of a cell begins at the instruction that defines the cell
//! and ends at the last use in reading order. If a loop uses a cell that is defined outside the loop, the cell's live range
//! includes the rest of the loop. Two cells share a register if the live range of one cell ends before the instruction that
//! defines the other cell. An instruction's operands never share a register with its results, so no result overwrites an operand.
//! The values of inactive lanes are never used, because values computed while a lane is inactive are out of scope when it becomes
//! active again.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use crate::step::Register;

#[derive(Clone, Copy)]
struct Cell {
    first: usize,
    last: usize,
}

struct Loop {
    first: usize,
    used: BTreeSet<u32>,
}

#[derive(Default)]
pub(crate) struct Cells {
    cells: Vec<Cell>,
    loops: Vec<Loop>,
    /// The current position in reading order.
    pub(crate) now: usize,
}

impl Cells {
    /// Returns a new cell, whose live range begins at the current position.
    pub(crate) fn define(&mut self) -> Register {
        self.cells.push(Cell { first: self.now, last: self.now });
        Register(Register::CELL | (self.cells.len() - 1) as u32)
    }

    pub(crate) fn define_all(&mut self, count: usize) -> Vec<Register> {
        (0..count).map(|_| self.define()).collect()
    }

    pub(crate) fn read(&mut self, register: Register) {
        let number = register.0 & !Register::CELL;
        if register.0 & Register::CELL == 0 {
            return;
        }
        let Some(cell) = self.cells.get_mut(number as usize) else { return };
        cell.last = cell.last.max(self.now);
        if let Some(outermost) = self.loops.iter_mut().find(|outer| outer.first > cell.first) {
            outermost.used.insert(number);
        }
    }

    /// Reports whether a later instruction reads a cell.
    pub(crate) fn is_read(&self, register: Register) -> bool {
        let cell = self.cells.get((register.0 & !Register::CELL) as usize);
        cell.is_some_and(|cell| cell.last > cell.first)
    }

    pub(crate) fn enter(&mut self) {
        self.loops.push(Loop { first: self.now, used: BTreeSet::new() });
    }

    pub(crate) fn leave(&mut self) {
        for number in self.loops.pop().map(|left| left.used).unwrap_or_default() {
            if let Some(cell) = self.cells.get_mut(number as usize) {
                cell.last = cell.last.max(self.now);
            }
        }
    }

    /// Returns the register of each cell and the number of registers. Registers are numbered from `first`.
    pub(crate) fn assign(&self, first: u32) -> (Vec<Register>, u32) {
        let mut order: Vec<usize> = (0..self.cells.len()).collect();
        order.sort_by_key(|&at| self.cells[at].first);
        let mut given = vec![Register(0); self.cells.len()];
        let mut count = 0;
        let mut free = BinaryHeap::new();
        let mut busy: BinaryHeap<Reverse<(usize, u32)>> = BinaryHeap::new();
        for at in order {
            let cell = self.cells[at];
            while let Some(&Reverse((last, register))) = busy.peek()
                && last < cell.first
            {
                busy.pop();
                free.push(Reverse(register));
            }
            let register = free.pop().map_or_else(
                || {
                    count += 1;
                    first + count - 1
                },
                |Reverse(register)| register,
            );
            busy.push(Reverse((cell.last, register)));
            given[at] = Register(register);
        }
        (given, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_share_a_register_if_one_ends_before_the_other_begins() {
        let mut cells = Cells::default();
        let a = cells.define();
        cells.now = 1;
        cells.read(a);
        cells.define();
        cells.now = 2;
        cells.define();
        let (given, count) = cells.assign(7);
        assert_eq!(given, [Register(7), Register(8), Register(7)]);
        assert_eq!(count, 2);
    }

    #[test]
    fn a_cell_that_a_loop_reads_from_outside_is_live_to_its_end() {
        let mut cells = Cells::default();
        let outside = cells.define();
        cells.now = 1;
        cells.enter();
        let inside = cells.define();
        cells.now = 2;
        cells.read(outside);
        cells.read(inside);
        cells.now = 3;
        cells.define();
        cells.now = 4;
        cells.leave();
        let (given, count) = cells.assign(0);
        assert_eq!(count, 2, "{given:?}");
        assert_eq!(given[1], given[2], "a cell defined in the loop ends in it");
        assert_ne!(given[0], given[2]);
    }
}
