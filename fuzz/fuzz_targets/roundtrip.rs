//! Law 2: an encoded module decodes to the same module.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::roundtrip(bytes));
