//! The law of names: renaming things changes nothing else.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::names(bytes));
