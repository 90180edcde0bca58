//! Law 2: what is written is read and written the same.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
