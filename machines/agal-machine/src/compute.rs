//! The arithmetic of the opcodes, for the four components of one invocation.
//!
//! libm provides the functions that have no processor instruction, and returns the same bits on every machine.

#![expect(clippy::indexing_slicing, reason = "components are counted within the arrays' lengths")]

use super::float::Float;

/// The computation of an opcode's result from the opcode's operands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Copy,
    /// A function of one operand, applied component by component.
    Unary(fn(Float, f32) -> f32),
    /// A function of two operands, applied component by component.
    Binary(fn(Float, f32, f32) -> f32),
    /// The dot product of the given number of components. Every component of the result is the dot product.
    Dot(usize),
    /// A matrix product with the given number of rows and the given number of components per row.
    Rows(u8, usize),
    Cross,
    /// Scales the vector of the first three components to length 1.
    Normalize,
}

impl Operation {
    /// Returns the number of components in the result. If the result has three components, the destination's fourth component is
    /// unchanged.
    pub(super) fn width(self) -> u8 {
        match self {
            Operation::Rows(rows, _) => rows,
            Operation::Cross | Operation::Normalize => 3,
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) | Operation::Dot(_) => 4,
        }
    }

    /// Returns how many components of each operand affect every component of the result. `None` means that the operation is
    /// component-wise.
    pub(super) fn reads(self) -> Option<usize> {
        match self {
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) => None,
            Operation::Dot(width) | Operation::Rows(_, width) => Some(width),
            Operation::Cross | Operation::Normalize => Some(3),
        }
    }
}

/// Computes the four components of a result. `row` returns the rows of a matrix operand.
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

/// Returns the dot product of the first `width` components, summed in order.
fn dot(float: Float, a: [f32; 4], b: [f32; 4], width: usize) -> f32 {
    (1..width).fold(float.multiply(a[0], b[0]), |sum, i| float.add(sum, float.multiply(a[i], b[i])))
}

/// Clamps a number to 0..1, and maps NaN to 0.
pub(super) fn saturate(a: f32) -> f32 {
    if a.is_nan() { 0.0 } else { a.clamp(0.0, 1.0) }
}

/// Returns `|a| ^ b`, or 1 if `b` is 0. The power is computed in double precision and then rounded. The result is the nearest
/// float, except in one case out of many millions.
#[expect(clippy::cast_possible_truncation, reason = "rounding is intended")]
pub(super) fn power(a: f32, b: f32) -> f32 {
    if b == 0.0 { 1.0 } else { libm::pow(a.abs().into(), b.into()) as f32 }
}

/// Returns the sign of a number as -1, 0 or 1. The sign of NaN is 0.
pub(super) fn sign(a: f32) -> f32 {
    truth(a > 0.0) - truth(a < 0.0)
}

pub(super) fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}
