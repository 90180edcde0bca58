//! The law of names: names affect nothing else.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::names(bytes));
