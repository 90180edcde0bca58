//! Number conversions.

/// Rounds to single precision; numbers that are too large become infinite.
#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is intended")]
pub(crate) const fn single(number: f64) -> f32 {
    number as f32
}

/// Converts the size of a collection to a `u32`; meshes and textures have much lower limits.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
