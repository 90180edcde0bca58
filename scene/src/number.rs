//! Numbers as a draw has them.

/// The nearest number of single precision: rounding is what is meant, and what is too large is infinite.
#[expect(clippy::cast_possible_truncation, reason = "a float is rounded, not cut")]
pub(crate) const fn single(number: f64) -> f32 {
    number as f32
}

/// A count of what is held in memory as a mesh or a texture counts it; those have limits far below.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
