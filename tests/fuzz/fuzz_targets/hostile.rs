//! All laws, for modules that are built from edge cases.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::hostile(bytes));
