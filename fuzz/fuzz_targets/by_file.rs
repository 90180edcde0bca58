//! Law 6: a file between changes nothing.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::by_file(bytes));
