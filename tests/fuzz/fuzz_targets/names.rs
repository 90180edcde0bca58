//! The law of names: renaming changes nothing except the names.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::names(bytes));
