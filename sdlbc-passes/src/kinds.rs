//! What passes ask about operations, as one table with a few bits for each: passes ask for each instruction, over and over.
//!
//! Rule: a row follows from the operation table of `sdlbc`, except for the lists that a pass has of its own.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]

use sdlbc::facts::Facts;
use sdlbc::{Op, OpSet, Stages, TypeRule};

/// How the components of an operation's operands depend on those of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Each component of the result may need all of them.
    All,
    /// A component of the result needs the same component of each operand.
    Same,
    /// The same, if all operands are scalars or vectors.
    SameOfVectors,
    /// The immediate says.
    Swizzle,
    /// The operands follow each other.
    Vector,
}

/// What passes ask about an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) reads: Reads,
    /// Whether it is needed although nothing reads a result of it: writes and control flow. A LOOP may not end, and a CALL may
    /// discard.
    pub(crate) is_root: bool,
    /// Whether it is a literal.
    pub(crate) is_literal: bool,
    /// Whether its result is made of components of its operands.
    pub(crate) is_made_of_parts: bool,
    /// Whether it is computed when its operands are constants.
    pub(crate) is_folded: bool,
    /// Whether two of them with the same operands compute the same in the same block.
    pub(crate) is_pure: bool,
    /// Whether it computes the same wherever it is.
    pub(crate) is_movable: bool,
    /// Whether the order of its two operands does not matter, if they are scalars or vectors.
    pub(crate) commutes: bool,
    /// Whether it makes one operation on vectors of equal operations on components.
    pub(crate) is_widened: bool,
    /// Whether what is known of its result depends on what is known of its operands.
    pub(crate) passes_facts: bool,
}

const fn kind(op: Op) -> Kind {
    let rule = op.type_rule();
    let has_result = op.shape().output;
    let by_component =
        matches!(rule, TypeRule::Componentwise(_) | TypeRule::Comparison(_) | TypeRule::Convert | TypeRule::Bitcast);
    let is_product = matches!(rule, TypeRule::Product);
    let anywhere = matches!(op.stage(), Stages::Any);
    let is_literal = matches!(rule, TypeRule::Literal(..));
    Kind {
        reads: match rule {
            TypeRule::Swizzle => Reads::Swizzle,
            TypeRule::Vector => Reads::Vector,
            TypeRule::ByInts(_) | TypeRule::Select | TypeRule::Phi => Reads::Same,
            TypeRule::Product => Reads::SameOfVectors,
            _ if by_component => Reads::Same,
            _ => Reads::All,
        },
        is_root: matches!(op, Op::Call) || !has_result && !matches!(op, Op::Nop | Op::If | Op::Switch),
        is_literal,
        is_made_of_parts: matches!(op, Op::Swizzle | Op::Vector),
        is_folded: has_result && !is_literal && !matches!(op, Op::Vector | Op::Phi | Op::Peek | Op::Call),
        is_pure: has_result && !matches!(op, Op::Phi | Op::Call),
        is_movable: has_result && anywhere && !matches!(op, Op::Phi | Op::Call),
        commutes: matches!(op, Op::Add | Op::Multiply | Op::Equal | Op::NotEqual | Op::Dot | Op::LogicalAnd)
            || matches!(op, Op::LogicalOr | Op::BinaryAnd | Op::BinaryOr | Op::BinaryXor),
        is_widened: (by_component || is_product) && anywhere,
        passes_facts: Facts::depend_on_operands(op),
    }
}

sdlbc::by_operation! {
    /// The row of an operation.
    pub(crate) fn of(op) -> Kind = kind;
}

/// The operations that have blocks.
pub(crate) const NESTING: OpSet = OpSet::of(&[Op::If, Op::Loop, Op::Switch]);

/// All literals.
pub(crate) const LITERALS: OpSet = {
    let (mut literals, mut at) = (OpSet::of(&[]), 0);
    while at < Op::ALL.len() {
        if matches!(Op::ALL[at].type_rule(), TypeRule::Literal(..)) {
            literals.insert(Op::ALL[at]);
        }
        at += 1;
    }
    literals
};
