//! Law 4: the dump contains every byte of the file exactly once.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::dump(bytes));
