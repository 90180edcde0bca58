//! Law 6: a round trip through a file does not change the output.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::by_file(bytes));
