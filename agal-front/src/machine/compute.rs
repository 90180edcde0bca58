//! What the opcodes compute, on the four components of one invocation.
//!
//! Numbers are 32-bit floats throughout; what the processor does not compute itself comes from a library that gives the same
//! bits on every machine.

#![expect(
    clippy::indexing_slicing,
    reason = "lanes, components and axes are counted over arrays of as many; a component of a swizzle has two bits"
)]

/// An opcode that computes its result from its operands' components alone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// The operand as it is.
    Copy,
    /// Each component from the same component of the operand.
    Unary(fn(f32) -> f32),
    /// Each component from the same component of both operands.
    Binary(fn(f32, f32) -> f32),
    /// The sum of the products of so many components, in all four.
    Dot(usize),
    /// Of so many rows the same, one a component.
    Rows(usize, usize),
    Cross,
    Normalize,
}

impl Operation {
    /// How many components it yields. The opcodes that yield three leave the fourth as it was.
    pub(super) fn width(self) -> u8 {
        match self {
            Operation::Rows(rows, _) => u8::try_from(rows).unwrap_or(4),
            Operation::Cross | Operation::Normalize => 3,
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) | Operation::Dot(_) => 4,
        }
    }

    /// How many components it reads to make one, where it does not go component by component.
    pub(super) fn reads(self) -> Option<usize> {
        match self {
            Operation::Copy | Operation::Unary(_) | Operation::Binary(_) => None,
            Operation::Dot(width) | Operation::Rows(_, width) => Some(width),
            Operation::Cross | Operation::Normalize => Some(3),
        }
    }
}

/// A vector that is shorter than the root of this is scaled as if it had that length, so that zero stays zero.
const TINY: f32 = 1e-37;

/// Computes a result of four components; `row` gives the rows of a matrix.
pub(super) fn compute(operation: Operation, a: [f32; 4], b: [f32; 4], row: impl Fn(usize) -> [f32; 4]) -> [f32; 4] {
    match operation {
        Operation::Copy => a,
        Operation::Unary(of) => a.map(of),
        Operation::Binary(of) => std::array::from_fn(|i| of(a[i], b[i])),
        Operation::Dot(width) => [dot(a, b, width); 4],
        Operation::Rows(rows, width) => std::array::from_fn(|i| if i < rows { dot(a, row(i), width) } else { 0.0 }),
        Operation::Cross => {
            let term = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
            [term(1, 2), term(2, 0), term(0, 1), 0.0]
        }
        Operation::Normalize => {
            let scale = 1.0 / dot(a, a, 3).max(TINY).sqrt();
            a.map(|component| component * scale)
        }
    }
}

/// Products are added from the first to the last.
fn dot(a: [f32; 4], b: [f32; 4], width: usize) -> f32 {
    (1..width).fold(a[0] * b[0], |sum, i| sum + a[i] * b[i])
}

/// Held within 0 and 1; what is no number is 0.
pub(super) fn saturate(a: f32) -> f32 {
    if a.is_nan() { 0.0 } else { a.clamp(0.0, 1.0) }
}

/// |a| ^ b, and 1 where b is 0.
pub(super) fn power(a: f32, b: f32) -> f32 {
    if b == 0.0 { 1.0 } else { libm::powf(a.abs(), b) }
}

/// -1, 0 or 1; of what is no number 0.
pub(super) fn sign(a: f32) -> f32 {
    truth(a > 0.0) - truth(a < 0.0)
}

pub(super) fn truth(holds: bool) -> f32 {
    if holds { 1.0 } else { 0.0 }
}
