//! The law of names: what things are called changes nothing else.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::names(bytes));
