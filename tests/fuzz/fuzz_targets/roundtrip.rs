//! Law 2: writing and reading a module gives the same module, which is written as the same bytes again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
