//! Law 2: writing and reading a module returns the same module, and writing that module returns the same bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
