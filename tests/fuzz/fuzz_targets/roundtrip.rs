//! Law 2: a module that is written and read is the same module, and is written as the same bytes again.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
