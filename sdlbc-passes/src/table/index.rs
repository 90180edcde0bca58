//! An index of the rows by the root operation of their patterns. Masks exclude rows that cannot match an instruction.
//!
//! Rule: the index is computed from the rows at compile time.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]
#![expect(clippy::cast_possible_truncation, reason = "there are far fewer than 65536 rows")]

use sdlbc::{Domain, Id, Op, Scalar, Type, TypeRule};

use super::order::Order;
use super::{ROWS, Row, Term};

/// A row, one operand order of its pattern, and a mask of the bits that the root's operands must have.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) row: u16,
    pub(super) order: Order,
    pub(super) mask: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Group {
    first: u16,
    end: u16,
    /// A mask that shares at least one bit with the mask of every instruction that matches a row of the group. All bits are set
    /// if an entry has no requirements.
    pub(super) any: u64,
}

const ENTRIES: usize = {
    let (mut count, mut row) = (0, 0);
    while row < ROWS.len() {
        count += ROWS[row].orders().count;
        row += 1;
    }
    count
};

/// The entries grouped by root operation; each group is in the order of the rows.
struct Index {
    entries: [Entry; ENTRIES],
    groups: [Group; Op::PLACES],
}

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
                    let mask = mask_of(&ROWS[row], orders.get(at));
                    entries[count] = Entry { row: row as u16, order: orders.get(at), mask };
                    let asked = mask & !(FLOATS | INTS);
                    group.any |= if asked == 0 { u64::MAX } else { asked };
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

/// The number of mask bits for each operand of a root.
const BITS: usize = 20;
/// The mask bit for a root whose first two operands are the same value.
const SAME: u64 = 1 << 63;
/// The mask bit for a root with three operands, of which the last two are the same value.
const SAME_LAST: u64 = 1 << 62;
/// The mask bits for the component type of the last operand: floats and halves, or ints and uints.
const FLOATS: u64 = 1 << 61;
const INTS: u64 = 1 << 60;

/// The mask bits for any constant, and for the constants zero and one of any component type.
const CONSTANT: u32 = 1;
const ZERO: u32 = 2;
const ONE: u32 = 4;
/// The position of the first mask bit for operations.
const FIRST: usize = 3;

/// Returns the mask bits of a value. The bits describe a constant whose components are all equal. For any other value, the
/// bits describe the defining operation, if that operation occurs directly below the root of a pattern. Operations share
/// bits if there are more operations than bits.
pub(crate) const fn root(constant: Option<u32>, op: Option<Op>) -> u32 {
    match (constant, op) {
        (Some(0), _) => CONSTANT | ZERO,
        (Some(1 | 0x3f80_0000), _) => CONSTANT | ONE,
        (Some(_), _) => CONSTANT,
        (None, Some(op)) => DEFINED[op.place()],
        (None, None) => 0,
    }
}

/// Returns the mask bits of an instruction, from its operands and the [`root`] of each operand; `None` if all operands are
/// constants.
#[inline]
pub(super) fn seen(inputs: &[Id], root: impl Fn(Id) -> u32) -> Option<u64> {
    let (mut seen, mut constants) = (0, 0);
    for (at, &id) in inputs.iter().take(3).enumerate() {
        let root = root(id);
        seen |= at_operand(at, root);
        constants += usize::from(root & CONSTANT != 0);
    }
    match inputs {
        [a, b] if a == b => seen |= SAME,
        [a, b, c] => {
            seen |= if a == b { SAME } else { 0 };
            seen |= if b == c { SAME_LAST } else { 0 };
        }
        _ => {}
    }
    (constants < inputs.len()).then_some(seen)
}

pub(super) const fn seen_type(last: Type) -> u64 {
    match last {
        Type::Vector(Scalar::Float | Scalar::Half, _) => FLOATS,
        Type::Vector(Scalar::Int | Scalar::Uint, _) => INTS,
        _ => 0,
    }
}

const fn at_operand(at: usize, root: u32) -> u64 {
    (root as u64) << (at * BITS)
}

/// The mask bit of each operation, or 0 if no pattern has the operation directly below its root.
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
                defined[op.place()] = 1 << (FIRST + count % (BITS - FIRST));
                count += 1;
            }
            at += 1;
        }
        row += 1;
    }
    defined
};

const fn mask_of(row: &Row, mut order: Order) -> u64 {
    let is_swapped = order.take(&row.pattern);
    let operands = row.pattern.operands();
    let (mut mask, mut at) = (0, 0);
    while at < operands.len() && at < 3 {
        mask |= match operands[if is_swapped { operands.len() - 1 - at } else { at }] {
            Term::Var(var) if !var.is_constant() => 0,
            Term::Var(_) => at_operand(at, CONSTANT),
            Term::Op(op, _) => at_operand(at, root(None, Some(op))),
            Term::Convert(..) => at_operand(at, root(None, Some(Op::Convert))),
            // Only +0.0 has the mask bit for zero, because the bits of -0.0 differ.
            Term::Number(number) if number.to_bits() == 0 => at_operand(at, root(Some(0), None)),
            Term::Number(1.0) => at_operand(at, root(Some(1), None)),
            Term::Number(_) => at_operand(at, CONSTANT),
            Term::Truth(truth) => at_operand(at, root(Some(truth as u32), None)),
        };
        at += 1;
    }
    match operands {
        [Term::Var(a), Term::Var(b)] if a.index() == b.index() => mask |= SAME,
        [Term::Var(a), Term::Var(b), Term::Var(c)] => {
            mask |= if a.index() == b.index() { SAME } else { 0 };
            mask |= if b.index() == c.index() { SAME_LAST } else { 0 };
        }
        [Term::Var(a), Term::Var(b), _] if a.index() == b.index() => mask |= SAME,
        [_, Term::Var(a), Term::Var(b)] if a.index() == b.index() => mask |= SAME_LAST,
        _ => {}
    }
    // Swapping the operands of a root does not change the type of the last operand, because both operands have the row's
    // component type.
    mask | match operands {
        [.., last] if is_of_row(last) => component_types(row.scalars),
        _ => 0,
    }
}

const fn is_of_row(term: &Term) -> bool {
    match term {
        Term::Var(var) => !var.is_truth(),
        Term::Number(_) => true,
        Term::Op(op, _) => match op.type_rule() {
            TypeRule::Componentwise(of) => !matches!(of, Domain::Bools),
            rule => matches!(rule, TypeRule::Product),
        },
        Term::Truth(_) | Term::Convert(..) => false,
    }
}

/// Returns the mask bit that all the component types share, or 0 if there is no such bit.
const fn component_types(scalars: &[Scalar]) -> u64 {
    let (mut all, mut at) = (if scalars.is_empty() { 0 } else { FLOATS | INTS }, 0);
    while at < scalars.len() {
        all &= match scalars[at] {
            Scalar::Float | Scalar::Half => FLOATS,
            Scalar::Int | Scalar::Uint => INTS,
            Scalar::Bool => 0,
        };
        at += 1;
    }
    all
}

impl Group {
    /// Returns the index entries for a root operation, or `None` if no pattern has that root.
    pub(super) fn of(op: Op) -> Option<&'static Group> {
        INDEX.groups.get(op.place()).filter(|group| group.any != 0)
    }

    pub(super) fn entries(&self) -> &'static [Entry] {
        INDEX.entries.get(self.first.into()..self.end.into()).unwrap_or_default()
    }
}
