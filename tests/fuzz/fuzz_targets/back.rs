//! The laws of AGAL as a target: any program is made shorter or kept, and computes the same; any module becomes a program of AGAL or
//! is refused.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    laws::back::back(bytes);
});
