//! Checks all laws on hostile modules, which consist of edge cases.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hostile(bytes));
