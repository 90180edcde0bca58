//! The operand orders of a pattern: the operands of a commutative operation may be swapped.
//!
//! Rule: the orders are computed at compile time for the matcher's index, and the provers prove a row for each of its orders.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]

use sdlbc::{Op, Scalar};

use super::{Row, Term};

impl Row {
    /// Returns the patterns that the matcher tries: the row's pattern, with the operands of each commutative operation in either
    /// order. The provers prove the row for each of the returned patterns.
    pub fn patterns(&self) -> Vec<Pattern> {
        self.orders().iter().map(|order| Pattern::in_order(&self.pattern, &mut order.clone())).collect()
    }

    /// Returns the distinct operand orders of the row's pattern, in the order in which the matcher tries them.
    pub(super) const fn orders(&self) -> Orders {
        let mut all = Orders { orders: [Order(0); Orders::MOST], count: 0 };
        let mut forms = [[0; Form::MOST]; Orders::MOST];
        let choices = if self.ordered { 0 } else { self.pattern.choices() };
        let mut next = 0;
        while next < 1 << choices {
            let mut form = Form { words: [0; Form::MOST], count: 0 };
            form.add(&self.pattern, &mut Order(next));
            let mut same = 0;
            while same < all.count && !form.is(&forms[same]) {
                same += 1;
            }
            if same == all.count {
                forms[same] = form.words;
                all.orders[same] = Order(next);
                all.count += 1;
            }
            next += 1;
        }
        all
    }
}

/// A pattern that the matcher tries: a [`Term`] whose operands may be reordered.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A variable, a number or a bool.
    Leaf(Term),
    /// An operation, the target component type of a CONVERT, and the operands.
    Op(Op, Option<Scalar>, Vec<Pattern>),
}

impl Pattern {
    /// Returns a term's pattern with all operands in their original order.
    pub fn of(term: &Term) -> Pattern {
        Pattern::in_order(term, &mut Order(0))
    }

    fn in_order(term: &Term, order: &mut Order) -> Pattern {
        let is_swapped = order.take(term);
        let mut operands: Vec<Pattern> =
            term.operands().iter().rev().map(|term| Pattern::in_order(term, order)).collect();
        if !is_swapped {
            operands.reverse();
        }
        match *term {
            Term::Op(op, _) => Pattern::Op(op, None, operands),
            Term::Convert(to, _) => Pattern::Op(Op::Convert, to, operands),
            leaf => Pattern::Leaf(leaf),
        }
    }
}

impl Term {
    pub(super) const fn is_commutative(&self) -> bool {
        match self {
            Term::Op(op, operands) => is_commutative(*op) && operands.len() == 2,
            _ => false,
        }
    }

    /// Returns the number of commutative operations in the term.
    pub(super) const fn choices(&self) -> u32 {
        let operands = self.operands();
        let (mut count, mut at) = (self.is_commutative() as u32, 0);
        while at < operands.len() {
            count += operands[at].choices();
            at += 1;
        }
        count
    }
}

/// For each commutative operation of a pattern, a bit that is set if the operation's operands are swapped. The root has the
/// lowest bit. The next bits belong to the operations in the root's last operand, and the highest bits to the operations in the
/// first operand. `take` removes the lowest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order(pub(super) u8);

impl Order {
    /// Removes the bit of a commutative term, and returns whether the term's operands are swapped.
    pub(super) const fn take(&mut self, term: &Term) -> bool {
        if !term.is_commutative() {
            return false;
        }
        let is_swapped = self.0 & 1 == 1;
        self.0 >>= 1;
        is_swapped
    }
}

pub(super) struct Orders {
    orders: [Order; Orders::MOST],
    pub(super) count: usize,
}

impl Orders {
    /// The maximum number of operand orders of a row. A table with a row that has more orders does not compile.
    const MOST: usize = 16;

    pub(super) const fn get(&self, at: usize) -> Order {
        self.orders[at]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Order> {
        self.orders.iter().take(self.count)
    }
}

/// A term encoded as words, for comparison with other terms.
struct Form {
    words: [u64; Form::MOST],
    count: usize,
}

impl Form {
    const MOST: usize = 24;

    const fn add(&mut self, term: &Term, order: &mut Order) {
        let is_swapped = order.take(term);
        self.words[self.count] = match term {
            Term::Var(var) => 1 << 60 | var.index() as u64,
            Term::Number(number) => number.to_bits() ^ 2 << 60,
            Term::Truth(truth) => 3 << 60 | *truth as u64,
            Term::Op(op, _) => 4 << 60 | op.number() as u64,
            Term::Convert(None, _) => 5 << 60,
            Term::Convert(Some(to), _) => 6 << 60 | *to as u64,
        };
        self.count += 1;
        let operands = term.operands();
        // The last operand takes its bits first, and the first operand takes them last.
        let mut orders = [Order(0); 4];
        let mut at = operands.len();
        while at > 0 {
            at -= 1;
            orders[at] = *order;
            order.0 >>= operands[at].choices();
        }
        while at < operands.len() {
            let place = if is_swapped { operands.len() - 1 - at } else { at };
            let mut order = orders[place];
            self.add(&operands[place], &mut order);
            at += 1;
        }
    }

    const fn is(&self, other: &[u64; Form::MOST]) -> bool {
        let mut at = 0;
        while at < Form::MOST && self.words[at] == other[at] {
            at += 1;
        }
        at == Form::MOST
    }
}

/// Reports whether an operation's two operands may be swapped. Swapping the operands keeps every bit of the result, except that
/// MIN and MAX of two zeroes or of NaN may depend on the order.
const fn is_commutative(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Add | Multiply | Min | Max | Equal | NotEqual | BinaryAnd | BinaryOr | BinaryXor | LogicalAnd | LogicalOr
    )
}
