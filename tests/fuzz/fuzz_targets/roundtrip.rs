//! Law 2: writing a module and reading it back returns the same module, and writing that module again returns the same
//! bytes.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
