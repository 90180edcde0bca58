//! All laws, for hostile modules.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hostile(bytes));
