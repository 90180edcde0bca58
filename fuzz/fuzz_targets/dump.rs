//! Law 4: the dump shows every byte once.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::dump(bytes));
