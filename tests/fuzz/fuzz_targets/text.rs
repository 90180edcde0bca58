//! Law 3: printing and parsing a module gives the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));
