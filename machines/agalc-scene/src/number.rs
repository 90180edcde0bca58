//! Conversions of numbers, and pseudo-random numbers from an integer hash. The hash is the same on every machine.

/// Rounds a number to single precision. A number that is too large becomes infinite.
#[expect(clippy::cast_possible_truncation, reason = "rounding to the nearest float is intended")]
pub(crate) const fn single(number: f64) -> f32 {
    number as f32
}

/// Converts the size of a collection to a `u32`, which is large enough for all meshes and textures.
pub(crate) fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Hashes three numbers to a pseudo-random number that is at least 0 and less than 1.
pub(crate) fn unit(of: [u32; 3]) -> f64 {
    let mut state = 0x9e37_79b9_u32;
    for number in of {
        state ^= number;
        // The final mix of MurmurHash3 makes every input bit affect every output bit.
        state = (state ^ (state >> 16)).wrapping_mul(0x85eb_ca6b);
        state = (state ^ (state >> 13)).wrapping_mul(0xc2b2_ae35);
        state ^= state >> 16;
        state = state.wrapping_add(0x9e37_79b9);
    }
    f64::from(state) / 4_294_967_296.0
}
