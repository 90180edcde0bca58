//! Law 5: each backend either translates a verified module or refuses it.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| laws::backends(bytes));
