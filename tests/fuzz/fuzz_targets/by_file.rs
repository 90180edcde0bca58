//! Law 6: writing a module to a file and reading it back does not change the backends' output.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::by_file(bytes));
