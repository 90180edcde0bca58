//! The laws of AGAL as a target: an optimised program has the same results as the original and is not longer than the
//! original, and any module is either translated to AGAL or refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::back::back(bytes);
});
