//! Law 3: printing and parsing a module returns the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));
