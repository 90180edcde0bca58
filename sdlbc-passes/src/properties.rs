//! A table of the properties of operations, which passes look up for every instruction.
//!
//! Rule: the properties are derived from the operation table of `sdlbc`. The only handwritten lists are lists of operations
//! that a single pass needs.

#![expect(clippy::indexing_slicing, reason = "the compiler finds an index that is too large")]

use sdlbc::facts::Facts;
use sdlbc::{Op, OpSet, Stages, TypeRule};

/// The operand components that a component of the result depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// A component of the result may need every component of every operand.
    All,
    /// A component of the result needs the same component of each operand.
    Same,
    /// Like `Same` if all operands are scalars or vectors, and otherwise like `All`.
    SameOfVectors,
    /// A component of the result needs the operand component that the immediate selects.
    Swizzle,
    /// The result consists of the components of all operands, one operand after another.
    Vector,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Properties {
    pub(crate) reads: Reads,
    /// Whether the operation must stay even if its result is unused: it writes a value or affects control flow. A LOOP must stay
    /// because it may not terminate.
    pub(crate) is_root: bool,
    pub(crate) is_literal: bool,
    pub(crate) selects_components: bool,
    /// Whether the operation can be folded if its operands are constants.
    pub(crate) is_folded: bool,
    /// Whether two instances of the operation with the same operands in one block have the same result.
    pub(crate) is_pure: bool,
    /// Whether the result is independent of the surrounding control flow.
    pub(crate) is_movable: bool,
    /// Whether the two operands may be swapped if they are scalars or vectors.
    pub(crate) commutes: bool,
    /// Whether equal operations on components may be merged into one vector operation.
    pub(crate) is_widened: bool,
    /// Whether the facts about the result depend on the facts about the operands.
    pub(crate) passes_facts: bool,
}

const fn properties(op: Op) -> Properties {
    let rule = op.type_rule();
    let has_result = op.shape().output;
    let by_component =
        matches!(rule, TypeRule::Componentwise(_) | TypeRule::Comparison(_) | TypeRule::Convert | TypeRule::Bitcast);
    let is_product = matches!(rule, TypeRule::Product);
    let anywhere = matches!(op.stage(), Stages::Any);
    let is_literal = matches!(rule, TypeRule::Literal(..));
    Properties {
        reads: match rule {
            TypeRule::Swizzle => Reads::Swizzle,
            TypeRule::Vector => Reads::Vector,
            TypeRule::ByInts(_) | TypeRule::Select | TypeRule::Phi => Reads::Same,
            TypeRule::Product => Reads::SameOfVectors,
            _ if by_component => Reads::Same,
            _ => Reads::All,
        },
        is_root: op.has_result_and_effect() || !has_result && !matches!(op, Op::Nop | Op::If | Op::Switch),
        is_literal,
        selects_components: matches!(op, Op::Swizzle | Op::Vector),
        is_folded: has_result
            && !is_literal
            && !op.has_result_and_effect()
            && !matches!(op, Op::Vector | Op::Phi | Op::Peek),
        is_pure: has_result && !op.has_result_and_effect() && !matches!(op, Op::Phi),
        is_movable: has_result && anywhere && !op.has_result_and_effect() && !matches!(op, Op::Phi),
        commutes: matches!(op, Op::Add | Op::Multiply | Op::Equal | Op::NotEqual | Op::Dot | Op::LogicalAnd)
            || matches!(op, Op::LogicalOr | Op::BinaryAnd | Op::BinaryOr | Op::BinaryXor),
        is_widened: (by_component || is_product) && anywhere,
        passes_facts: Facts::depend_on_operands(op),
    }
}

sdlbc::by_operation! {
    /// Returns the properties of an operation, which are looked up in the table.
    pub(crate) fn of(op) -> Properties = properties;
}

/// The operations that contain blocks.
pub(crate) const NESTING: OpSet = OpSet::of(&[Op::If, Op::Loop, Op::Switch]);

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
