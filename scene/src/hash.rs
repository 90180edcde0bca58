//! Pseudo-random numbers that are the same on every machine, from an integer hash.

/// Hashes three numbers to 32 pseudo-random bits.
pub(crate) fn hash(of: [u32; 3]) -> u32 {
    let mut state = 0x9e37_79b9_u32;
    for number in of {
        state ^= number;
        // The final mix of MurmurHash3, in which every input bit affects every output bit.
        state = (state ^ (state >> 16)).wrapping_mul(0x85eb_ca6b);
        state = (state ^ (state >> 13)).wrapping_mul(0xc2b2_ae35);
        state ^= state >> 16;
        state = state.wrapping_add(0x9e37_79b9);
    }
    state
}

/// Returns a number from 0 to 1, exclusive.
pub(crate) fn unit(of: [u32; 3]) -> f64 {
    f64::from(hash(of)) / 4_294_967_296.0
}
