//! Law 3: what is printed is parsed the same.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::text(bytes));
