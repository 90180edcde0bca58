//! What the builder and the verifier ask about each instruction's operation, as a table: the operation table takes longer to ask.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]

use crate::{Blocks, Inst, Op, Shape, Stages, TypeRule};

/// An operation.
pub(crate) struct Kind {
    pub(crate) shape: Shape,
    pub(crate) rule: TypeRule,
    /// Whether it is only for fragment functions.
    pub(crate) is_fragment: bool,
    /// The numbers of operands that it may have, up to four, by bit.
    counts: u8,
    /// Whether it only computes a value from values: it has no rules of its own, and nothing to do with control flow.
    pub(crate) is_plain: bool,
    /// Whether its result is a constant, components of a value, or an element.
    pub(crate) picks: bool,
    /// Whether it may return another value each time, whatever its operands are.
    pub(crate) varies: bool,
}

impl Kind {
    /// Whether an instruction has the shape of this operation, at most four operands and no blocks, where the operation is plain.
    pub(crate) fn fits_plainly(&self, inst: &Inst) -> bool {
        let count = inst.inputs.len();
        self.is_plain
            && count <= 4
            && self.counts >> count & 1 == 1
            && inst.immediates.len() == self.shape.immediates
            && inst.ends.is_empty()
    }
}

const fn kind(op: Op) -> Kind {
    let (shape, rule) = (op.shape(), op.type_rule());
    let has_own_rules = matches!(op, Op::Phi | Op::Call) || !matches!(shape.blocks, Blocks::None);
    Kind {
        shape,
        rule,
        counts: {
            let (mut counts, mut count) = (0, 0);
            while count <= 4 {
                counts |= (shape.inputs.allows(count) as u8) << count;
                count += 1;
            }
            counts
        },
        is_fragment: matches!(op.stage(), Stages::Fragment),
        is_plain: shape.output && !shape.ignored && !has_own_rules,
        picks: matches!(op, Op::Swizzle | Op::Peek) || shape.inputs.allows(0) && !matches!(op, Op::Call),
        varies: matches!(op, Op::Phi | Op::Call),
    }
}

static KINDS: [Kind; Op::PLACES] = {
    let mut kinds = [const { kind(Op::Nop) }; Op::PLACES];
    let mut at = 0;
    while at < Op::ALL.len() {
        kinds[Op::ALL[at].place()] = kind(Op::ALL[at]);
        at += 1;
    }
    kinds
};

/// The row of an operation.
pub(crate) fn of(op: Op) -> &'static Kind {
    const NOTHING: &Kind = &kind(Op::Nop);
    KINDS.get(op.place()).unwrap_or(NOTHING)
}
