//! Random numbers that are the same everywhere: an integer hash.

/// Thirty-two bits that look random, from three numbers.
pub(crate) fn hash(of: [u32; 3]) -> u32 {
    let mut state = 0x9e37_79b9_u32;
    for number in of {
        state ^= number;
        // The rounds of MurmurHash3's last step, which change each bit with each.
        state = (state ^ (state >> 16)).wrapping_mul(0x85eb_ca6b);
        state = (state ^ (state >> 13)).wrapping_mul(0xc2b2_ae35);
        state ^= state >> 16;
        state = state.wrapping_add(0x9e37_79b9);
    }
    state
}

/// A number from 0 up to 1.
pub(crate) fn unit(of: [u32; 3]) -> f64 {
    f64::from(hash(of)) / 4_294_967_296.0
}
