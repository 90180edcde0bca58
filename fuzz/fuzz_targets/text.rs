//! Law 3: a printed module parses to the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));
