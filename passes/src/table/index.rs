//! The rows by the operation at the root of their patterns, and masks that say which of them are worth trying.
//!
//! Rule: the index is made from the rows when the crate is compiled.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]
#![expect(clippy::cast_possible_truncation, reason = "there are far fewer than 65536 rows")]

use sdlbc::Op;

use super::order::Order;
use super::{ROWS, Term};

/// A row in one order of its pattern, and what the operands of the root must be.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) row: u16,
    pub(super) order: Order,
    pub(super) mask: u64,
}

/// The entries of an operation: from the first to before the end.
#[derive(Clone, Copy)]
pub(super) struct Group {
    first: u16,
    end: u16,
    /// The bits of which one must be set for any entry to match; all bits if an entry needs none.
    pub(super) any: u64,
}

/// The number of entries.
const ENTRIES: usize = {
    let (mut count, mut row) = (0, 0);
    while row < ROWS.len() {
        count += ROWS[row].orders().count;
        row += 1;
    }
    count
};

/// The entries by operation, in the order of the rows.
struct Index {
    entries: [Entry; ENTRIES],
    groups: [Group; Op::PLACES],
}

/// Made when this is compiled.
static INDEX: Index = index();

const fn index() -> Index {
    let mut entries = [Entry { row: 0, order: Order(0), mask: 0 }; ENTRIES];
    let mut groups = [Group { first: 0, end: 0, any: 0 }; Op::PLACES];
    let (mut count, mut op) = (0, 0);
    while op < Op::ALL.len() {
        let mut group = Group { first: count as u16, end: 0, any: 0 };
        let mut row = 0;
        while row < ROWS.len() {
            let is_of_group = match ROWS[row].pattern.op() {
                Some(root) => root.number() == Op::ALL[op].number(),
                None => false,
            };
            if is_of_group {
                let orders = ROWS[row].orders();
                let mut at = 0;
                while at < orders.count {
                    let mask = mask_of(&ROWS[row].pattern, orders.get(at));
                    entries[count] = Entry { row: row as u16, order: orders.get(at), mask };
                    group.any |= if mask == 0 { u64::MAX } else { mask };
                    count += 1;
                    at += 1;
                }
            }
            row += 1;
        }
        group.end = count as u16;
        groups[Op::ALL[op].place()] = group;
        op += 1;
    }
    Index { entries, groups }
}

/// The bits for each operand of a root ([`root`]).
const BITS: usize = 20;
/// The bit for a root whose first two operands are the same.
pub(super) const SAME: u64 = 1 << 63;

/// The bit for a constant.
const CONSTANT: u32 = 1;

/// What masks say about a value: that it is a constant, or the operation that defines it, if any pattern has that one as an operand
/// of its root. Operations share bits if there are too many.
pub(crate) const fn root(is_constant: bool, op: Option<Op>) -> u32 {
    match op {
        _ if is_constant => CONSTANT,
        Some(op) => DEFINED[op.place()],
        None => 0,
    }
}

pub(super) const fn is_constant(root: u32) -> bool {
    root == CONSTANT
}

/// The bits for an operand with this number.
pub(super) const fn at_operand(at: usize, root: u32) -> u64 {
    (root as u64) << (at * BITS)
}

/// By operation: its bit; 0 for one that no pattern has as an operand of its root.
static DEFINED: [u32; Op::PLACES] = {
    let mut defined = [0; Op::PLACES];
    let (mut count, mut row) = (0, 0);
    while row < ROWS.len() {
        let operands = ROWS[row].pattern.operands();
        let mut at = 0;
        while at < operands.len() {
            if let Some(op) = operands[at].op()
                && defined[op.place()] == 0
            {
                defined[op.place()] = 2 << (count % (BITS - 1));
                count += 1;
            }
            at += 1;
        }
        row += 1;
    }
    defined
};

const fn mask_of(pattern: &Term, mut order: Order) -> u64 {
    let is_swapped = order.take(pattern);
    let operands = pattern.operands();
    let (mut mask, mut at) = (0, 0);
    while at < operands.len() && at < 3 {
        mask |= match operands[if is_swapped { operands.len() - 1 - at } else { at }] {
            Term::Var(var) if !var.is_constant() => 0,
            Term::Op(op, _) => at_operand(at, root(false, Some(op))),
            Term::Convert(..) => at_operand(at, root(false, Some(Op::Convert))),
            Term::Var(_) | Term::Number(_) | Term::Truth(_) => at_operand(at, CONSTANT),
        };
        at += 1;
    }
    if let [Term::Var(a), Term::Var(b), ..] = operands
        && a.index() == b.index()
    {
        mask |= SAME;
    }
    mask
}

impl Group {
    /// The rows of an operation, if it has any.
    pub(super) fn of(op: Op) -> Option<&'static Group> {
        INDEX.groups.get(op.place()).filter(|group| group.any != 0)
    }

    /// Its entries.
    pub(super) fn entries(&self) -> &'static [Entry] {
        INDEX.entries.get(self.first.into()..self.end.into()).unwrap_or_default()
    }
}

/// Whether there is any row for an operation.
pub(crate) fn has_rows(op: Op) -> bool {
    Group::of(op).is_some()
}
