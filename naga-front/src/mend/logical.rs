//! Logical operations of SPIR-V on vectors.
//!
//! Upstream fault `logical_vectors`: `Op::LogicalAnd` and `Op::LogicalOr` in `front/spv/next_block.rs` become operators that
//! `Validator::validate_expression` in `valid/expression.rs` accepts only for scalars. No upstream issue is known.

use naga::{BinaryOperator, Expression, Module};

/// Replaces logical operators with bitwise operators, which naga also accepts for vectors of bools.
pub(crate) fn without_logical(module: &mut Module) {
    let Module { functions, entry_points, .. } = module;
    let functions = functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        for (_, expression) in function.expressions.iter_mut() {
            if let Expression::Binary { op, .. } = expression {
                match op {
                    BinaryOperator::LogicalAnd => *op = BinaryOperator::And,
                    BinaryOperator::LogicalOr => *op = BinaryOperator::InclusiveOr,
                    _ => {}
                }
            }
        }
    }
}
