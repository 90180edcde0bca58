//! The arithmetic of the opcodes, on the four components of one invocation.
//!
//! Functions that the processor does not provide come from libm, which returns the same bits on every machine.

#![expect(clippy::indexing_slicing, reason = "components are counted within the arrays' lengths")]

use super::float::Float;

/// The function by which an opcode computes its result from the components of its operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The operand unchanged.
    Copy,
    /// Each component from the same component of the operand.
    Unary(fn(Float, f32) -> f32),
    /// Each component from the same component of both operands.
    Binary(fn(Float, f32, f32) -> f32),
    /// The dot product over this many components, in all four components of the result.
    Dot(usize),
    /// A matrix product: this many rows, each a dot product over this many components.
    Rows(u8, usize),
    /// The cross product.
    Cross,
    /// The first three components, scaled to a vector of length 1.
    Normalize,
}

impl Operation {
    /// The number of components in the result. Opcodes with three leave the fourth component of the destination unchanged.
    pub(super) fn width(self) -> u8 {
        match self {
            Operation::Rows(rows, _) => rows,
            Operation::Cross | Operation::Normalize => 3,
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) | Operation::Dot(_) => 4,
        }
    }

    /// The number of components of each operand that every component of the result depends on; `None` if the operation is
    /// component-wise.
    pub(super) fn reads(self) -> Option<usize> {
        match self {
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) => None,
            Operation::Dot(width) | Operation::Rows(_, width) => Some(width),
            Operation::Cross | Operation::Normalize => Some(3),
        }
    }
}

/// Computes the four components of a result; `row` returns the rows of a matrix operand.
pub(super) fn compute(
    float: Float,
    operation: Operation,
    a: [f32; 4],
    b: [f32; 4],
    row: impl Fn(usize) -> [f32; 4],
) -> [f32; 4] {
    match operation {
        Operation::Copy => a,
        Operation::Unary(of) => a.map(|a| of(float, a)),
        Operation::Binary(of) => std::array::from_fn(|i| of(float, a[i], b[i])),
        Operation::Dot(width) => [dot(float, a, b, width); 4],
        Operation::Rows(rows, width) => {
            std::array::from_fn(|i| if i < usize::from(rows) { dot(float, a, row(i), width) } else { 0.0 })
        }
        Operation::Cross => {
            let term = |i: usize, j: usize| float.subtract(float.multiply(a[i], b[j]), float.multiply(a[j], b[i]));
            [term(1, 2), term(2, 0), term(0, 1), 0.0]
        }
        Operation::Normalize => {
            let squared = dot(float, a, a, 3).max(float.least_squared_length());
            let scale = float.divide(1.0, float.root(squared));
            a.map(|component| float.multiply(component, scale))
        }
    }
}

/// The dot product over `width` components, summed from the first to the last.
fn dot(float: Float, a: [f32; 4], b: [f32; 4], width: usize) -> f32 {
    (1..width).fold(float.multiply(a[0], b[0]), |sum, i| float.add(sum, float.multiply(a[i], b[i])))
}

/// Clamps to 0..1; NaN becomes 0.
pub(super) fn saturate(a: f32) -> f32 {
    if a.is_nan() { 0.0 } else { a.clamp(0.0, 1.0) }
}

/// `|a| ^ b`, and 1 if `b` is 0. The power is computed in doubles and rounded, which gives the nearest float in all but one
/// case in many millions.
#[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
pub(super) fn power(a: f32, b: f32) -> f32 {
    if b == 0.0 { 1.0 } else { libm::pow(a.abs().into(), b.into()) as f32 }
}

/// -1, 0 or 1; NaN becomes 0.
pub(super) fn sign(a: f32) -> f32 {
    truth(a > 0.0) - truth(a < 0.0)
}

/// 1 for true, 0 for false.
pub(super) fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}
